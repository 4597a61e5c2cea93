import { machines as contract, limits, type telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useRuleLimits } from '../../../entities/alarm-rule/use-rule-limits.ts'
import css from '../../../entities/history/history-frame.module.css'
import { firstSpan, formatSpan } from '../../../entities/history/history-span.ts'
import { HistoryView } from '../../../entities/history/history-view.tsx'
import { usePast } from '../../../entities/history/use-past.ts'
import { VariablePicker } from '../../../entities/machine/lazy-variable-picker.ts'
import { isHeld, type Machine } from '../../../entities/machine/machine.ts'
import { machineDetailQuery } from '../../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { useListSearch } from '../list-search.ts'

interface MachineHistoryProps {
  machine: Machine
  tags: readonly telemetry.Tag[]
  /** Tags that are shown when the address names no tags. */
  firstTags: readonly number[]
}

const noKeys: readonly never[] = []
const noTags: readonly never[] = []

/** A machine's past: any time of it, as near as one likes, and true to what is stored. */
export function MachineHistory({ machine, tags, firstTags }: MachineHistoryProps) {
  const t = useText().history
  const [search, update] = useListSearch()
  const navigate = useNavigate()
  // The first span is chosen once: a machine that goes offline later does not change it.
  const [first] = useState(() => firstSpan(machine.online, machine.lastSeen, Date.now()))
  const [isPicking, setPicking] = useState(false)
  const tagIds = search.tags ?? firstTags
  const { id, name, code, online, openAlarms: alarmsCount } = machine
  const machines = useMemo(
    () => [{ id, name, code, online, openAlarms: alarmsCount }],
    [id, name, code, online, alarmsCount],
  )
  const past = usePast({ machines, tags, tagIds, search, update, first })
  const ruleLimits = useRuleLimits(id)
  const detail = useQuery(machineDetailQuery(id, useLang())).data
  const held = isHeld(detail) ? detail : undefined
  const openAlarms = useMemo(
    () =>
      held?.openAlarms.map(({ alarmId, level, text, key, raisedAt }) => ({
        ...{ id: alarmId, level, text: text || key },
        ...{ at: raisedAt, clearedAt: null },
      })) ?? [],
    [held],
  )

  const complete = useEffectEvent(() =>
    update({ tags: firstTags, ...formatSpan(past.span) }, { replace: true }),
  )
  const isIncomplete = search.tags === undefined && firstTags.length > 0
  // The address contains everything that is shown, defaults included, so that it can be sent to another
  // person. It is changed once per device: each change renders the page before it completes, and a second
  // change would repeat that endlessly.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another device needs another address
  useEffect(() => {
    if (isIncomplete) complete()
  }, [isIncomplete, id])

  function exportAll() {
    const { from, to } = past.range
    const asked = { tags: tagIds.join(), from: Math.round(from), to: Math.round(to) }
    void navigate({ to: '/dataCenter/exports', search: asked })
  }

  return (
    <div ref={past.box} className={css.explorer} data-large={search.large}>
      {tags.length === 0 && tagIds.length === 0 ? (
        <EmptyState icon="chart" title={t.noTags} hint={t.noTagsHint} />
      ) : (
        <HistoryView
          past={past}
          fileName={name}
          keyed={machine.level >= contract.limitAuthority.bkey ? machines : noKeys}
          openAlarms={openAlarms}
          ruleLimits={ruleLimits}
          isTable={search.table === true}
          onTable={(wanted) => update({ table: wanted || undefined }, { replace: true })}
          isLarge={search.large === true}
          onLarge={(wanted) => update({ large: wanted || undefined })}
          machineZone={held?.timeZone || undefined}
          onExportAll={tagIds.length > 0 ? exportAll : undefined}
          picker={
            <Button size="small" icon="plus" onClick={() => setPicking(true)}>
              {t.add}
            </Button>
          }
        />
      )}
      {isPicking && (
        <VariablePicker
          machines={machines}
          chosen={tagIds}
          known={noTags}
          max={limits.tagsPerHistory}
          min={1}
          verb={t.picker.show}
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
