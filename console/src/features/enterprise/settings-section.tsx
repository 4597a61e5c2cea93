import { type AnswerOf, brands, enterprises, mayCall } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { enterpriseQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatDate, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { SettingPanel, SettingRow } from '../../shared/ui/fields/setting-row.tsx'
import { FilePicker } from '../../shared/ui/file-picker.tsx'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Grid, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import { Panel } from '../../shared/ui/people/panel.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { refusalText, useAct } from '../../shared/ui/use-act.ts'
import { ZonePicker } from '../../shared/ui/zone-picker.tsx'
import { DeleteEnterpriseRow } from './delete-enterprise.tsx'
import pageCss from './manage-page.module.css'
import type { SectionProps } from './manage-section.ts'

type Info = AnswerOf<typeof enterprises.getEnterprise>

/** The enterprise's name, the face it shows its own people, its zone, what its new devices get, and its end. */
export function SettingsSection({ space, permission }: SectionProps): ReactNode {
  const { manage: t } = useText().enterprises
  const query = useQuery(enterpriseQuery(space.eid))
  const info = query.data
  const mayChange = mayCall(enterprises.updateEnterprise, permission)
  return (
    <div className={pageCss.settings}>
      <Panel title={t.tabs.settings} lead={mayChange ? undefined : t.adminOnly}>
        <ListWait query={query} />
        {info && (
          <SettingsForm
            eid={space.eid}
            info={info}
            mayChange={mayChange}
            mayChangeZone={mayCall(enterprises.updateEnterpriseTimeZone, permission)}
          />
        )}
      </Panel>
      {info && (
        <SettingPanel>
          <AwaySetting eid={space.eid} isOn={info.awayRules} mayChange={mayChange} />
        </SettingPanel>
      )}
      {info && permission.role === 'owner' && (
        <SettingPanel>
          <DeleteEnterpriseRow space={space} />
        </SettingPanel>
      )}
    </div>
  )
}

interface SettingsFormProps {
  eid: number
  info: Info
  mayChange: boolean
  /** Managers may change the zone without the right to change name and logo. */
  mayChangeZone: boolean
}

function SettingsForm({ eid, info, mayChange, mayChangeZone }: SettingsFormProps) {
  const { enterprises: words, access } = useText()
  const t = words.manage.settings
  const form = useForm({
    route: enterprises.updateEnterprise,
    initial: {
      name: info.name,
      platformName: info.platformName,
      applyLogoUrl: info.applyLogoUrl,
      timeZone: info.timeZone,
    },
    follows: true,
    words: { name: { required: t.nameMissing } },
    // The call leaves out what is not changed, so the contract lets the name be absent.
    required: ['name'],
    send: async ({ name, platformName, applyLogoUrl, timeZone }) => {
      if (mayChange)
        await call(enterprises.updateEnterprise, {
          eid,
          name: name.trim(),
          platformName: platformName.trim(),
          applyLogoUrl,
        })
      if (timeZone !== info.timeZone) await call(enterprises.updateEnterpriseTimeZone, { eid, timeZone })
    },
    done: t.saved,
    touched: [spaceKey(eid), ['enterprises']],
  })
  const upload = useMutation({
    mutationFn: (file: File) => call(brands.createUpload, { purpose: 'logo', file }),
    onSuccess: ({ url }) => form.set('applyLogoUrl', url),
  })
  const { applyLogoUrl: logo, timeZone } = form.values

  return (
    <form {...form.props} className={pageCss.form}>
      <Text as="p" tone="quiet" size={12}>
        {t.number} <span className="mono">{eid}</span> · {t.created} {formatDate(info.created)}
      </Text>
      <Grid className={pageCss.fields}>
        <TextField label={t.name} readOnly={!mayChange} {...form.text('name')} />
        <div>
          <TextField label={t.platformName} readOnly={!mayChange} {...form.text('platformName')} />
          <p className={css.hint}>{t.platformNameHint}</p>
        </div>
        <Stack gap={6} align="start" shrinks className={css.field}>
          <span className={css.label}>{t.timeZone}</span>
          <ZonePicker
            label={t.timeZone}
            value={timeZone}
            disabled={!mayChangeZone}
            onChange={(zone) => form.set('timeZone', zone)}
          />
          <p className={css.hint}>{t.timeZoneHint}</p>
        </Stack>
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
      </Grid>
      <FormRefusal text={form.general} />
      <FormRefusal text={upload.error ? refusalText(upload.error, access.confirm.failed) : undefined} />
      {mayChangeZone && (
        <Button kind="primary" type="submit" busy={form.isSending}>
          {t.save}
        </Button>
      )}
    </form>
  )
}

/** Whether new devices get a rule on absence; those that have one keep it. */
function AwaySetting({ eid, isOn, mayChange }: { eid: number; isOn: boolean; mayChange: boolean }) {
  const t = useText().enterprises.manage
  const save = useAct({
    call: (awayRules: boolean) => call(enterprises.updateEnterprise, { eid, awayRules }),
    done: t.settings.saved,
    touched: [spaceKey(eid)],
  })
  return (
    <SettingRow name={t.settings.awayRules} hint={t.settings.awayRulesHint}>
      <Switch
        label={t.settings.awayRules}
        checked={isOn}
        disabled={!mayChange || save.isPending}
        reason={mayChange ? undefined : t.adminOnly}
        onChange={(awayRules) => save.mutate(awayRules)}
      />
    </SettingRow>
  )
}
