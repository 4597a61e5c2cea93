import { machines as contract, limits } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import frame from '../../entities/history/history-frame.module.css'
import { presets, type Span } from '../../entities/history/history-span.ts'
import { formatLength } from '../../entities/history/history-text.ts'
import { HistoryView, HistoryWaiting } from '../../entities/history/history-view.tsx'
import { useHistory } from '../../entities/history/use-history.ts'
import { type Past, usePast } from '../../entities/history/use-past.ts'
import { useVariables } from '../../entities/history/variables.ts'
import { VariablePicker } from '../../entities/machine/lazy-variable-picker.ts'
import { useSpaceMachines } from '../../entities/machine/space-machines.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import css from './explorer.module.css'
import { ExplorerBar } from './explorer-bar.tsx'
import { useExplorerText } from './explorer-text.ts'
import { StatisticsTable } from './statistics-table.tsx'
import { useExplorerSearch } from './use-explorer-search.ts'
import { ViewsList } from './views-list.tsx'
import { XyPlot } from './xy-plot.tsx'

const first: Span = { kind: 'live', lengthMs: presets['24h'] }
const noTags: readonly number[] = []
const noMachines: readonly never[] = []

/** Up to 20 variables of several devices over one time axis, with statistics and comparisons. */
export function Explorer({ space }: { space: PageSpace }) {
  const t = useExplorerText()
  const words = useText().history.picker
  const [search, update] = useExplorerSearch()
  const [isPicking, setPicking] = useState(false)
  const wanted = search.tags ?? noTags
  const variables = useVariables(wanted)
  const { tags, machines } = variables
  const tagIds = useMemo(() => tags.map(({ tagId }) => tagId), [tags])
  const past = usePast({ machines, tags, tagIds, search, update, first })
  const compared = useCompared(past, search.compare)
  const known = useSpaceMachines(space)
  const keyed = useMemo(() => {
    const shown = new Set(machines.map(({ id }) => id))
    return (known ?? []).filter(({ id, level }) => shown.has(id) && level >= contract.limitAuthority.bkey)
  }, [known, machines])
  const { history, range } = past

  function content(): ReactNode {
    const pick = (
      <Button kind="primary" icon="plus" onClick={() => setPicking(true)}>
        {t.pick}
      </Button>
    )
    if (wanted.length === 0) return <ViewsList space={space} pick={pick} onOpen={update} />
    if (variables.state === 'failed') return <EmptyState icon="warning" title={t.failed} />
    if (variables.state !== 'here') return <HistoryWaiting />
    if (tags.length === 0)
      return (
        <EmptyState icon="lock" title={t.allMissing} hint={t.allMissingHint}>
          {pick}
        </EmptyState>
      )
    const isXy = search.form === 'xy'
    return (
      <>
        <ExplorerBar
          space={space}
          tags={tags}
          range={range}
          search={search}
          onPick={() => setPicking(true)}
          onChange={update}
        />
        {variables.missing > 0 && (
          <p className={frame.note} role="status">
            <Icon name="lock" size={14} />
            {t.missing(variables.missing)}
          </p>
        )}
        <HistoryView
          past={past}
          fileName={t.csv}
          keyed={keyed}
          compared={compared.series}
          isComparing={compared.busy}
          isApart={search.apart === true}
          isTable={search.form === 'table'}
          onTable={(isTable) => update({ form: isTable ? 'table' : undefined }, { replace: true })}
          canBeEmpty
          onCompareNot={() => update({ compare: undefined })}
          picture={
            isXy ? (
              <XyPlot
                series={history.series}
                range={range}
                chosen={{ x: search.x, y: search.y }}
                onChoose={({ x, y }) => update({ x, y }, { replace: true })}
              />
            ) : undefined
          }
        >
          {history.state === 'here' && !past.moving && (
            <StatisticsTable past={past} compared={compared.series} />
          )}
        </HistoryView>
      </>
    )
  }

  return (
    <div ref={past.box} className={wanted.length > 0 ? css.explorer : css.begin}>
      {content()}
      {isPicking && (
        <VariablePicker
          machines={known}
          first={tags.at(-1)?.machineId}
          chosen={wanted}
          known={tags}
          max={limits.tagsPerHistory}
          verb={words.show}
          onChoose={(next) => {
            setPicking(false)
            past.choose(next)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}

/** The same variables so much earlier, with names that say so. */
function useCompared({ machines, tags, tagIds, span, buckets }: Past, compareMs: number | undefined) {
  const t = useExplorerText().compare
  const words = useText().history
  const shiftMs = compareMs ?? 0
  const { series, busy } = useHistory({
    ...{ tags, tagIds, span, shiftMs },
    ...(compareMs === undefined ? { machines: noMachines, buckets: 0 } : { machines, buckets }),
  })
  const suffix = t.suffix(formatLength(shiftMs, words))
  return useMemo(() => {
    if (compareMs === undefined) return { series: [], busy: false }
    const named = series.map((one) => ({ ...one, tag: { ...one.tag, name: `${one.tag.name} ${suffix}` } }))
    return { series: named, busy }
  }, [series, busy, compareMs, suffix])
}
