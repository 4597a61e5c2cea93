import { isState, type TagSeries } from './history-series.ts'

/** The most curves of one chart that can be told apart. */
const curvesPerPanelMax = 4
/** Units of one chart at most: it has an axis at each side. */
const unitsPerPanelMax = 2

export interface ShownSeries extends TagSeries {
  /** 1 to 6: `--chart-n`. */
  readonly colour: number
  /** Of an earlier period: drawn paler. */
  readonly faint?: boolean
}

/** Curves under one another, then the lanes of states. */
export interface Layout {
  readonly panels: readonly (readonly ShownSeries[])[]
  readonly lanes: readonly ShownSeries[]
}

/** One chart if it can show every curve, else one per unit. */
export function layoutSeries(series: readonly TagSeries[], colours: ReadonlyMap<number, number>): Layout {
  const coloured = (each: TagSeries): ShownSeries => ({ ...each, colour: colours.get(each.tag.tagId) ?? 1 })
  const curves = series.filter(({ tag }) => !isState(tag))
  const byUnit = [...Map.groupBy(curves, ({ tag }) => tag.unit).values()]
  const isOne = curves.length <= curvesPerPanelMax && byUnit.length <= unitsPerPanelMax
  const panels = isOne ? [curves] : byUnit.flatMap((group) => chunk(group, curvesPerPanelMax))
  return {
    panels: panels.filter((panel) => panel.length > 0).map((panel) => panel.map(coloured)),
    lanes: series.filter(({ tag }) => isState(tag)).map(coloured),
  }
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size))
  return parts
}
