import type { UseQueryResult } from '@tanstack/react-query'
import { useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Box, Row } from '../layout/layout.tsx'
import { Skeleton } from '../skeleton.tsx'
import css from './panel.module.css'

const skeletonRows = 3

/**
 * Placeholder of a list: rows to come, or the message that it could not be loaded. Renders nothing once the
 * list is there.
 */
export function ListWait({
  query,
}: {
  query: Pick<UseQueryResult, 'data' | 'isError' | 'isFetching' | 'refetch'>
}) {
  const { enterprises, app } = useText()
  if (query.data !== undefined) return null
  if (query.isError)
    return (
      <Box line="top">
        <EmptyState icon="warning" title={enterprises.manage.failed}>
          <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      </Box>
    )
  return (
    <ul aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Row key={place} as="li" line="top" padX={16} justify="between" className={css.waiting}>
          <Skeleton width={120 + place * 18} />
          <Skeleton width={88} />
        </Row>
      ))}
    </ul>
  )
}
