import { brands, enterprises, mayCall } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { enterpriseQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatDate, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { FilePicker } from '../../shared/ui/file-picker.tsx'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import { Panel } from '../../shared/ui/people/panel.tsx'
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
  const { enterprises: words, access } = useText()
  const t = words.manage.settings
  const form = useForm({
    route: enterprises.updateEnterprise,
    initial: { name: info.name, platformName: info.platformName, applyLogoUrl: info.applyLogoUrl },
    words: { name: { required: t.nameMissing } },
    // The call leaves out what is not changed, so the contract lets the name be absent.
    required: ['name'],
    send: ({ name, platformName, applyLogoUrl }) =>
      call(enterprises.updateEnterprise, {
        eid,
        name: name.trim(),
        platformName: platformName.trim(),
        applyLogoUrl,
      }),
    done: t.saved,
    touched: [spaceKey(eid), ['enterprises']],
  })
  const upload = useMutation({
    mutationFn: (file: File) => call(brands.createUpload, { purpose: 'logo', file }),
    onSuccess: ({ url }) => form.set('applyLogoUrl', url),
  })
  const logo = form.values.applyLogoUrl

  return (
    <form {...form.props} className={pageCss.form}>
      <Text as="p" tone="quiet" size={12}>
        {t.number} <span className="mono">{eid}</span> · {t.created} {formatDate(info.created)}
      </Text>
      <TextField label={t.name} readOnly={!mayChange} {...form.text('name')} />
      <div>
        <TextField label={t.platformName} readOnly={!mayChange} {...form.text('platformName')} />
        <p className={css.hint}>{t.platformNameHint}</p>
      </div>
      <Stack gap={6} align="start" shrinks className={css.field}>
        <span className={css.label}>{t.logo}</span>
        <div className={pageCss.logo}>
          {logo && <img src={logo} alt={t.logo} />}
          {mayChange && (
            <FilePicker
              label={t.logo}
              action={t.choose}
              accept="image/svg+xml,image/png,image/jpeg,image/webp"
              disabled={upload.isPending}
              onChoose={upload.mutate}
            />
          )}
          {mayChange && logo && (
            <Button kind="ghost" onClick={() => form.set('applyLogoUrl', '')}>
              {t.clear}
            </Button>
          )}
        </div>
        <p className={css.hint}>{t.logoHint}</p>
      </Stack>
      <FormRefusal text={form.general} />
      <FormRefusal text={upload.error ? refusalText(upload.error, access.confirm.failed) : undefined} />
      {mayChange && (
        <Button kind="primary" type="submit" busy={form.isSending}>
          {t.save}
        </Button>
      )}
    </form>
  )
}

/**
 * The enterprise's zone, which is saved immediately: managers may change it without the right to change name
 * and logo.
 */
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
      <Stack gap={6} align="start" shrinks className={css.field}>
        <span className={css.label}>{t.timeZone}</span>
        <ZonePicker
          label={t.timeZone}
          value={timeZone}
          disabled={!mayChange || save.isPending}
          onChange={(zone) => zone !== timeZone && save.mutate(zone)}
        />
        <p className={css.hint}>{t.timeZoneHint}</p>
      </Stack>
      <FormRefusal text={refusal} />
    </div>
  )
}
