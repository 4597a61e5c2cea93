import { Row, Stack } from '../shared/ui/layout/layout.tsx'
import { Skeleton } from '../shared/ui/skeleton.tsx'
import css from './page-wait.module.css'

const rows = Array.from({ length: 10 }, (_, place) => place)

/** In place of a page whose files take long: its heading, its tabs and its rows, in their measures. */
export function PageWait() {
  return (
    <Stack gap={12} grows className={css.page} aria-busy="true" data-page-wait="">
      <Row className={css.head}>
        <Skeleton width={180} height={16} />
      </Row>
      <Row gap={16} className={css.head}>
        <Skeleton width={72} />
        <Skeleton width={88} />
        <Skeleton width={64} />
      </Row>
      <Stack surface="panel" grows className={css.rows}>
        {rows.map((place) => (
          <Row key={place} line="bottom" padX={16} gap={24} fixed className={css.row}>
            <Skeleton width={`${24 + ((place * 7) % 12)}%`} />
            <Skeleton width="14%" />
            <Skeleton width="10%" />
          </Row>
        ))}
      </Stack>
    </Stack>
  )
}
