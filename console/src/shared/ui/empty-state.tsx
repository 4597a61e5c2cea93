import type { ReactNode } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './button.tsx'
import css from './empty-state.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { Row, Stack, Text } from './layout/layout.tsx'

interface EmptyStateProps {
  icon: IconName
  title: string
  /** The next step, or what happened. */
  hint?: ReactNode
  /** The way on: a button or two. */
  children?: ReactNode
}

/** An empty list, or a failure with a button to try again. */
export function EmptyState({ icon, title, hint, children }: EmptyStateProps) {
  return (
    <Stack gap={4} align="center" justify="center" to="center" className={css.empty} data-subject="">
      <span className={css.mark}>
        <Icon name={icon} size={20} />
      </span>
      <Text as="p" tone="text" size={14} weight={600}>
        {title}
      </Text>
      {hint && <p className={css.hint}>{hint}</p>}
      {children && (
        <Row above={12} gap={8} align="stretch" justify="center" wraps>
          {children}
        </Row>
      )}
    </Stack>
  )
}

/** In place of a list that could not be loaded. */
export function ListFailed({ isFetching, retry }: { isFetching: boolean; retry: () => void }) {
  const { table: t, app } = useText()
  return (
    <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
      <Button icon="refresh" busy={isFetching} onClick={retry}>
        {app.retry}
      </Button>
    </EmptyState>
  )
}
