import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import css from './settings.module.css'

interface SettingProps {
  name: string
  hint: string
  /** Its control also fits beside the words on a phone. */
  inline?: boolean
  children: ReactNode
}

/** One setting: name and effect on the left, its control on the right. */
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
