import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Row, Text } from '../../shared/ui/layout/layout.tsx'
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
      <Box shrinks>
        <Text as="h3" size="13/20" weight={600}>
          {name}
        </Text>
        <p className={css.hint}>{hint}</p>
      </Box>
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
    <Row as="p" gap={6} tone="quiet" size={12} leading={20}>
      <Icon name="lock" size={14} />
      {children}
    </Row>
  )
}
