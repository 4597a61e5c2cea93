import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import people from '../../shared/ui/people/panel.module.css'
import { useAdministration } from './administration.ts'
import { AuditSetting } from './audit-setting.tsx'
import { CloudSetting } from './cloud-setting.tsx'
import { MachinePasswordDialog } from './machine-password-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { AkeyOnly, Setting } from './setting.tsx'
import css from './settings.module.css'
import { SharedNameSetting } from './shared-name-setting.tsx'

/** Settings that apply to all users: name, approval, cloud access, and passwords. */
export function SettingsSection() {
  const { isAkey } = useAdministration()
  const t = useText().access
  const words = t.settings
  const [opened, setOpened] = useState<'password' | 'secret'>()
  const close = () => setOpened(undefined)
  return (
    <section className={classes(people.panel, css.panel)} aria-labelledby="settings-title">
      <Row as="header" pad="14 16" gap="10 16" wraps>
        <div className={people.words}>
          <Row id="settings-title" as="h2" gap={8} align="baseline" size="16/22">
            {t.tabs.settings}
          </Row>
          <Text as="p" tone="quiet" pretty>
            {words.lead}
          </Text>
        </div>
      </Row>
      <SharedNameSetting />
      <AuditSetting />
      <CloudSetting />
      <Setting name={words.password} hint={words.passwordHint}>
        {isAkey ? <Button onClick={() => setOpened('password')}>{words.passwordSet}</Button> : <AkeyOnly />}
      </Setting>
      <Setting name={words.secret} hint={words.secretHint}>
        {isAkey ? <Button onClick={() => setOpened('secret')}>{words.secretRenew}</Button> : <AkeyOnly />}
      </Setting>
      {opened === 'password' && <MachinePasswordDialog onClose={close} />}
      {opened === 'secret' && <SecretDialog onClose={close} />}
    </section>
  )
}
