import { type ReactNode, useState } from 'react'
import { useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { useAdministration } from './administration.ts'
import { AuditSetting } from './audit-setting.tsx'
import { CloudSetting } from './cloud-setting.tsx'
import { MachinePasswordDialog } from './machine-password-dialog.tsx'
import people from './people.module.css'
import { SecretDialog } from './secret-dialog.tsx'
import css from './settings.module.css'
import { SharedNameSetting } from './shared-name-setting.tsx'

/** What holds for everybody: what it is called, who approves, whether it can be reached, and what it is opened with. */
export function SettingsSection() {
  const { isAkey } = useAdministration()
  const t = useText().access
  const words = t.settings
  const [opened, setOpened] = useState<'password' | 'secret'>()
  const close = () => setOpened(undefined)
  return (
    <section className={classes(people.panel, css.panel)} aria-labelledby="settings-title">
      <header className={people.head}>
        <div className={people.words}>
          <h2 id="settings-title" className={people.title}>
            {t.tabs.settings}
          </h2>
          <p className={people.lead}>{words.lead}</p>
        </div>
      </header>
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

interface SettingProps {
  name: string
  hint: string
  /** Its control is small enough to stand beside the words on a phone too. */
  inline?: boolean
  children: ReactNode
}

/** One setting: what it is and does on the left, its control on the right. */
export function Setting({ name, hint, inline = false, children }: SettingProps) {
  return (
    <div className={classes(css.setting, inline && css.inline)}>
      <div className={css.words}>
        <h3 className={css.name}>{name}</h3>
        <p className={css.hint}>{hint}</p>
      </div>
      <div className={css.control}>{children}</div>
    </div>
  )
}

export function AkeyOnly() {
  return <Locked>{useText().access.settings.akeyOnly}</Locked>
}

/** Replaces a control that the caller may not use: it names the people who may, or the reason. */
export function Locked({ children }: { children: string }) {
  return (
    <p className={css.only}>
      <Icon name="lock" size={14} />
      {children}
    </p>
  )
}
