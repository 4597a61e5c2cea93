import { brands, enterprises, limits, mayCall } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { enterpriseQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatDate, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import { Panel } from '../../shared/ui/people/panel.tsx'
import { findLengthProblem } from '../../shared/ui/text-problems.ts'
import { refusalText, useAct } from '../../shared/ui/use-act.ts'
import { ZonePicker } from '../../shared/ui/zone-picker.tsx'
import { DeleteEnterpriseRow } from './delete-enterprise.tsx'
import pageCss from './manage-page.module.css'
import type { SectionProps } from './manage-section.ts'

type Info = { name: string; platformName: string; applyLogoUrl: string; created: number; timeZone: string }

/** The enterprise's name and the face it shows its own people. */
export function SettingsSection({ space, permission }: SectionProps): ReactNode {
  const { manage: t } = useText().enterprises
  const query = useQuery(enterpriseQuery(space.eid))
  const info = query.data
  const mayChange = mayCall(enterprises.updateEnterprise, permission)
  return (
    <Panel title={t.tabs.settings} lead={mayChange ? undefined : t.adminOnly}>
      <ListWait query={query} />
      {info && <SettingsForm eid={space.eid} info={info} mayChange={mayChange} />}
      {info && (
        <ZoneSetting
          eid={space.eid}
          timeZone={info.timeZone}
          mayChange={mayCall(enterprises.updateEnterpriseTimeZone, permission)}
        />
      )}
      {info && permission.role === 'owner' && <DeleteEnterpriseRow space={space} />}
    </Panel>
  )
}

function SettingsForm({ eid, info, mayChange }: { eid: number; info: Info; mayChange: boolean }) {
  const words = useText()
  const t = words.enterprises.manage.settings
  const file = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(info.name)
  const [platformName, setPlatformName] = useState(info.platformName)
  const [logo, setLogo] = useState(info.applyLogoUrl)
  const [problem, setProblem] = useState<string>()
  const [platformProblem, setPlatformProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const save = useAct({
    call: () =>
      call(enterprises.updateEnterprise, {
        eid,
        name: name.trim(),
        platformName: platformName.trim(),
        applyLogoUrl: logo,
      }),
    done: t.saved,
    touched: [spaceKey(eid), ['enterprises']],
    onRefused: setRefusal,
  })

  async function upload(picture: File | undefined) {
    if (!picture) return
    try {
      setLogo((await call(brands.createUpload, { purpose: 'logo', file: picture })).url)
      setRefusal(undefined)
    } catch (error) {
      setRefusal(refusalText(error, words.access.confirm.failed))
    }
  }

  return (
    <form
      className={pageCss.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const found = name.trim()
          ? findLengthProblem(name, limits.enterpriseNameMax, words.app)
          : t.nameMissing
        const ofPlatform = findLengthProblem(platformName, limits.brandNameMax, words.app)
        setProblem(found)
        setPlatformProblem(ofPlatform)
        if (!found && !ofPlatform) save.mutate()
      }}
    >
      <TextField
        label={t.name}
        name="name"
        readOnly={!mayChange}
        value={name}
        error={problem}
        onChange={setName}
      />
      <div>
        <TextField
          label={t.platformName}
          name="platformName"
          readOnly={!mayChange}
          value={platformName}
          error={platformProblem}
          onChange={setPlatformName}
        />
        <p className={css.hint}>{t.platformNameHint}</p>
      </div>
      <div className={css.field}>
        <span className={css.label}>{t.logo}</span>
        <div className={pageCss.logo}>
          {logo && <img src={logo} alt={t.logo} />}
          {mayChange && (
            <>
              <Button onClick={() => file.current?.click()}>{t.choose}</Button>
              {logo && (
                <Button kind="ghost" onClick={() => setLogo('')}>
                  {t.clear}
                </Button>
              )}
            </>
          )}
          <input
            ref={file}
            type="file"
            hidden
            accept="image/svg+xml,image/png,image/jpeg,image/webp"
            onChange={({ target }) => void upload(target.files?.[0])}
          />
        </div>
        <p className={css.hint}>{t.logoHint}</p>
      </div>
      <p className={pageCss.hint}>
        {t.number} <span className="mono">{eid}</span>
      </p>
      <p className={pageCss.hint}>
        {t.created} {formatDate(info.created)}
      </p>
      {refusal && (
        <p className={css.error} role="alert">
          {refusal}
        </p>
      )}
      {mayChange && (
        <Button kind="primary" type="submit" busy={save.isPending}>
          {t.save}
        </Button>
      )}
    </form>
  )
}

/** The enterprise's zone, which is changed at once: managers change it who may not change the face. */
function ZoneSetting({ eid, timeZone, mayChange }: { eid: number; timeZone: string; mayChange: boolean }) {
  const t = useText().enterprises.manage.settings
  const [refusal, setRefusal] = useState<string>()
  const save = useAct({
    call: (zone: string) => call(enterprises.updateEnterpriseTimeZone, { eid, timeZone: zone }),
    done: t.timeZoneSaved,
    touched: [spaceKey(eid)],
    onRefused: setRefusal,
  })
  return (
    <div className={pageCss.form}>
      <div className={css.field}>
        <span className={css.label}>{t.timeZone}</span>
        <ZonePicker
          label={t.timeZone}
          value={timeZone}
          disabled={!mayChange || save.isPending}
          onChange={(zone) => zone !== timeZone && save.mutate(zone)}
        />
        <p className={css.hint}>{t.timeZoneHint}</p>
      </div>
      {refusal && (
        <p className={css.error} role="alert">
          {refusal}
        </p>
      )}
    </div>
  )
}
