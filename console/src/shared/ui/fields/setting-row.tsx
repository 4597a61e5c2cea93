import type { ReactNode } from 'react'
import { Panel, Row, Text } from '../layout/layout.tsx'
import css from './setting-row.module.css'

interface SettingRowProps {
  name: string
  hint?: string | undefined
  /** The current value, if its control does not show it. */
  value?: ReactNode
  children?: ReactNode
}

/** One setting: its name, its value, and its control. */
export function SettingRow({ name, hint, value, children }: SettingRowProps) {
  return (
    <Row pad="14 16" gap="10 16" wraps className={css.row} data-subject="">
      <div className={css.words}>
        <Text as="p" weight={600}>
          {name}
        </Text>
        {value && (
          <Row above={2} gap="4 10" align="baseline" wraps breaks>
            {value}
          </Row>
        )}
        {hint && (
          <Text as="p" tone="quiet" size="12/18" pretty>
            {hint}
          </Text>
        )}
      </div>
      {children && (
        <Row gap={8} align="stretch" wraps fixed className={css.control}>
          {children}
        </Row>
      )}
    </Row>
  )
}

/** Settings that belong together. */
export function SettingPanel({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Panel above={16} aria-label={title}>
      {title && (
        <Text as="h2" line="bottom" pad="12 16" size="14/20">
          {title}
        </Text>
      )}
      {children}
    </Panel>
  )
}
