import { type RequestOf, type SimState, sims } from '@busbar/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatMb } from '../../entities/sim/format-usage.ts'
import { simColumns, simFilters } from '../../entities/sim/sim-columns.tsx'
import { simsKey } from '../../entities/sim/sim-queries.ts'
import { shapeOfSim } from '../../entities/sim/sim-state.tsx'
import { useSimsText } from '../../entities/sim/sims-text.ts'
import { call } from '../../shared/api/client.ts'
import { formatPercent } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { pages } from '../../shared/resource/rows.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Glyph } from '../../shared/ui/data/state-glyph.tsx'
import { chosenOf, type Filters } from '../../shared/ui/table/filter.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useSimsSearch } from './use-sims-search.ts'
import { useSimsView } from './use-sims-view.ts'

type Wish = RequestOf<typeof sims.listCards>
const everything = 'all'

/** A request for the cards of a search and filters. */
function wishOf({ asked }: PageSpace, search: string, filters: Filters): Wish {
  const chosen = Object.keys(filters).map((name) => [name, chosenOf(filters, name)])
  return { ...asked, ...(search && { search }), ...Object.fromEntries(chosen) }
}

/** Of all cards that a wish finds: how many in each state, and their usage. */
function useSums(wish: Wish) {
  const asked: Wish = { ...wish, page: 1, pageSize: 1 }
  return useQuery({
    queryKey: [...simsKey, 'sums', asked],
    queryFn: ({ signal }) => call(sims.listCards, asked, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
  }).data
}

/** The cards of a space: searched, filtered and sorted by the platform, a page at a time. */
export function SimsList({ space }: { space: PageSpace }) {
  const t = useSimsText()
  const [{ iccid: openId }, update] = useSimsSearch()
  const view = useSimsView()
  const state = chosenOf<SimState>(view.ask.filters, 'state')
  // The counts of states are those that another state would leave.
  const { state: _, ...others } = view.ask.filters
  const all = useSums(wishOf(space, view.ask.search, others))
  const shown = useSums(wishOf(space, view.ask.search, view.ask.filters))
  // The counts narrow by state.
  const columns = useMemo(() => {
    const { machine, state: counted, ...further } = simColumns(t)
    const { filter: __, ...plain } = counted
    return { machine, state: plain, ...further }
  }, [t])
  const sums = shown?.sums
  return (
    <List
      id="sims"
      view={view}
      title={t.title}
      lead={sums && sums.byState.length > 0 ? <Sums {...sums} /> : t.lead}
      rows={pages(sims.listCards, space.asked, { under: [...simsKey, 'list'] })}
      rowKey="iccid"
      columns={columns}
      filters={simFilters(t, all?.plans ?? [], all?.carriers ?? [])}
      search={t.search}
      isExported
      openKey={openId ?? null}
      onOpen={({ iccid }) => update({ iccid }, { replace: openId !== undefined })}
      controls={
        all &&
        (all.sums.byState.length > 1 || state !== undefined) && (
          <ToggleGroup<SimState | typeof everything>
            label={t.list.byState}
            size="small"
            value={state ?? everything}
            onChange={(chosen) =>
              view.setFilter(
                'state',
                chosen === everything ? undefined : { kind: 'choice', chosen: [chosen] },
              )
            }
            options={[
              { value: everything, label: t.list.everything, count: all.total },
              ...all.sums.byState.map(({ state: value, count }) => ({
                value,
                label: t.states[value],
                icon: <Glyph state={shapeOfSim[value]} size={9} />,
                count,
              })),
            ]}
          />
        )
      }
      empty={{ icon: 'cards', title: t.list.empty, hint: t.list.emptyHint }}
    />
  )
}

/** Of the cards with a limit, and of those without. */
function Sums({ usedMb, totalMb, openMb }: { usedMb: number; totalMb: number; openMb: number }) {
  const { list } = useSimsText()
  return [
    ...(totalMb > 0
      ? [list.sums(formatMb(usedMb), formatMb(totalMb), formatPercent(usedMb / totalMb, 0))]
      : []),
    ...(openMb > 0 || totalMb === 0 ? [list.sumsOpen(formatMb(openMb))] : []),
  ].join(' · ')
}
