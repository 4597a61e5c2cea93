import { Box, Row, Stack } from './layout/layout.tsx'
import { Skeleton } from './skeleton.tsx'

/** The heights of the block and of the rows of each shape in pixels, and the bars of a row. */
const shapes = {
  list: { block: 0, rows: 10, height: 40, bars: ['28%', '14%', '10%'] },
  form: { block: 0, rows: 5, height: 62, bars: ['34%', '18%'] },
  chart: { block: 320, rows: 3, height: 32, bars: ['24%', '8%', '8%', '8%'] },
  detail: { block: 96, rows: 6, height: 36, bars: ['14%', '36%'] },
} as const

export type PageShape = keyof typeof shapes

interface ShapeWaitProps {
  shape: PageShape
  /** Of a list whose rows have other measures. */
  rows?: number
  height?: number
}

/** In place of a page or a part that is on its way, in the measures of its shape. */
export function ShapeWait({ shape, ...wanted }: ShapeWaitProps) {
  const { block, rows, height, bars } = { ...shapes[shape], ...wanted }
  return (
    <Stack aria-hidden="true">
      {block > 0 && (
        <Box pad={16}>
          <Skeleton height={block} />
        </Box>
      )}
      {Array.from({ length: rows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Row key={place} line="bottom" padX={16} gap={24} fixed style={{ height }}>
          {bars.map((width, bar) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other name
            <Skeleton key={bar} width={width} />
          ))}
        </Row>
      ))}
    </Stack>
  )
}
