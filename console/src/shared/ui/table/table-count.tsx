import { formatNumber, useText } from '../../i18n/index.ts'
import { Text } from '../layout/layout.tsx'
import type { TableSource } from './table-source.ts'

interface TableCountProps {
  source: TableSource<unknown>
  /** Rows that pass the search and the filters. */
  shown: number
  isNarrowed: boolean
}

/** The number of rows in a list, and how many of them match. */
export function TableCount({ source, shown, isNarrowed }: TableCountProps) {
  const t = useText().table
  const { rows, page } = source
  if (!rows || (rows.length === 0 && !isNarrowed)) return null
  const text = page
    ? (page.total === page.countedMax ? t.countAtLeast : t.count)(formatNumber(page.total))
    : shown === rows.length
      ? t.count(formatNumber(shown))
      : t.countFound(formatNumber(shown), formatNumber(rows.length))
  return (
    <Text tone="quiet" size={12} weight={400} numbers role="status">
      {text}
    </Text>
  )
}
