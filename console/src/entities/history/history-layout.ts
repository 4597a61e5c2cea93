import { isState, type TagSeries } from './history-series.ts'

/** The most curves of one chart that can be told apart. */
const curvesPerPanelMax = 4
/** Units of one chart at most: it has an axis at each side. */
const unitsPerPanelMax = 2

export interface ShownSeries extends TagSeries {
  /** 1 to 6: `--chart-n`. */
  readonly colour: number
}

/** Curves under one another, then the lanes of states. */
export interface Layout {
  readonly panels: readonly (readonly ShownSeries[])[]
  readonly lanes: readonly ShownSeries[]
}

interface LayoutOptions {
  /** Earlier periods of the series: each stands beside the one that it is compared with, in its colour. */
  readonly compared?: readonly TagSeries[]
  /** Each curve has a chart of its own. */
  readonly isApart?: boolean
}

/** Each series, and after it its earlier period. */
export function withCompared(series: readonly TagSeries[], compared: readonly TagSeries[]): TagSeries[] {
  const earlier = Map.groupBy(compared, ({ tag }) => tag.tagId)
  return series.flatMap((each) => [each, ...(earlier.get(each.tag.tagId) ?? [])])
}

/** One chart if it can show every curve, else one per unit. */
export function layoutSeries(
  series: readonly TagSeries[],
  colours: ReadonlyMap<number, number>,
  { compared = [], isApart = false }: LayoutOptions = {},
): Layout {
  const shown = (group: readonly TagSeries[]): ShownSeries[] =>
    withCompared(group, compared).map((each) => ({ ...each, colour: colours.get(each.tag.tagId) ?? 1 }))
  const curves = series.filter(({ tag }) => !isState(tag))
  const byUnit = [...Map.groupBy(curves, ({ tag }) => tag.unit).values()]
  const isOne = curves.length <= curvesPerPanelMax && byUnit.length <= unitsPerPanelMax
  const panels = isApart
    ? chunk(curves, 1)
    : isOne
      ? [curves]
      : byUnit.flatMap((group) => chunk(group, curvesPerPanelMax))
  return {
    panels: panels.filter((panel) => panel.length > 0).map(shown),
    lanes: shown(series.filter(({ tag }) => isState(tag))),
  }
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size))
  return parts
}
