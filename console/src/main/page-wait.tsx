import { useMatch } from '@tanstack/react-router'
import { Row, Stack } from '../shared/ui/layout/layout.tsx'
import { type PageShape, ShapeWait } from '../shared/ui/shape-wait.tsx'
import { Skeleton } from '../shared/ui/skeleton.tsx'
import css from './page-wait.module.css'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The shape of the page; a list where it is not said. */
    readonly shape?: PageShape
  }
}

/** In place of a page whose files take long: its heading, and its shape, in their measures. */
export function PageWait() {
  const shape = useMatch({ strict: false, select: ({ staticData }) => staticData.shape ?? 'list' })
  return (
    <Stack gap={12} grows className={css.page} aria-busy="true" data-page-wait={shape}>
      <Row className={css.head}>
        <Skeleton width={180} height={16} />
      </Row>
      <Stack surface="panel" grows className={css.content}>
        <ShapeWait shape={shape} />
      </Stack>
    </Stack>
  )
}
