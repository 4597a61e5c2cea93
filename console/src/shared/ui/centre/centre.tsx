import type { ReactNode } from 'react'
import { type PageSpace, usePageSpace } from '../../session/page-space.ts'
import { Row, Stack } from '../layout/layout.tsx'
import { useLayoutKind } from '../layout-kind.ts'
import { Skeleton } from '../skeleton.tsx'
import css from './centre.module.css'

interface CentreProps {
  title: string
  /** The heading in the space of an enterprise. */
  titleOf: (enterprise: string) => string
  tabs: ReactNode
  /** The page in its space. Another space remounts it. */
  children: (space: PageSpace) => ReactNode
  /** Beside the page: an open alarm, for example. */
  pane?: ReactNode
}

/** The frame of several pages about one space: heading, tabs, and the page, which scrolls. */
export function Centre({ title, titleOf, tabs, children, pane }: CentreProps) {
  const layout = useLayoutKind()
  const space = usePageSpace()
  return (
    <Row align="stretch" grows className={css.centre}>
      <Stack grows className={css.column}>
        <h1 className={layout === 'narrow' ? 'sr-only' : css.title}>
          {space?.enterprise ? titleOf(space.enterprise.name) : title}
        </h1>
        {tabs}
        <div className={css.page} key={space?.asked.eid ?? 0}>
          {space ? children(space) : <Skeleton height={120} />}
        </div>
      </Stack>
      {pane}
    </Row>
  )
}
