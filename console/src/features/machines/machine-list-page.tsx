import { lazy, Suspense, useCallback, useState } from 'react'
import { useLayoutKind } from '../../app/layout-kind.ts'
import { useListSearch } from '../../app/list-search.ts'
import { useText } from '../../i18n/index.ts'
import { MachineCards } from './machine-cards.tsx'
import type { PaneTab } from './machine-detail-pane.tsx'
import css from './machine-list-page.module.css'
import type { Machine } from './machine-order.ts'
import { MachineTable } from './machine-table.tsx'
import { PaneFrame } from './pane-frame.tsx'
import { useKeyValueWatch } from './use-key-value-watch.ts'
import { useListKeys } from './use-list-keys.ts'
import { useLooking } from './use-looking.ts'
import { useMachineList } from './use-machine-list.ts'

const MachineDetailPane = lazy(() =>
  import('./machine-detail-pane.tsx').then((module) => ({ default: module.MachineDetailPane })),
)
const AddMachineDialog = lazy(() =>
  import('./add-machine-dialog.tsx').then((module) => ({ default: module.AddMachineDialog })),
)

/** The search field of whichever layout is drawn. */
const searchSelector = 'search input'

/** The personal device list, with one machine open beside it, or over it on a phone. */
export function MachineListPage() {
  const t = useText().machines
  const layout = useLayoutKind()
  const [search, updateSearch] = useListSearch()
  const [looking, lookingProps] = useLooking()
  const view = useMachineList(looking)
  const onVisibleChange = useKeyValueWatch(view.rows)
  const [active, setActive] = useState<number | null>(null)
  const [adding, setAdding] = useState<{ code: string } | null>(null)
  const openId = search.machine ?? null
  const activeKey = active ?? openId

  const open = useCallback(
    (machineId: number) => {
      setActive(machineId)
      // The first one is a step to go back from; from one to the next is not.
      updateSearch({ machine: machineId }, { replace: openId !== null })
    },
    [updateSearch, openId],
  )
  const openRow = useCallback((machine: Machine) => open(machine.machine_id), [open])
  const close = useCallback(() => updateSearch({ machine: undefined, tab: undefined }), [updateSearch])

  function neighbour(step: number): Machine | undefined {
    const place = view.rows.findIndex((machine) => machine.machine_id === (openId ?? activeKey))
    return place < 0 && step < 0 ? undefined : view.rows[place + step]
  }

  function move(step: number) {
    const machine = neighbour(step)
    if (!machine) return
    if (openId !== null) open(machine.machine_id)
    else setActive(machine.machine_id)
  }

  useListKeys({
    onNext: () => move(1),
    onPrevious: () => move(-1),
    onOpen: () => activeKey !== null && open(activeKey),
    onClose: () => openId !== null && close(),
    onSearch: () => document.querySelector<HTMLInputElement>(searchSelector)?.focus(),
  })

  const shared = {
    view,
    openId,
    activeKey,
    onActiveChange: setActive,
    onOpen: openRow,
    onVisibleChange,
    onAdd: (code?: string) => setAdding({ code: code ?? '' }),
    lookingProps,
  }
  const [previous, next] = [neighbour(-1), neighbour(1)]
  const opened = view.all.find((machine) => machine.machine_id === openId)

  return (
    <div className={css.page}>
      {layout === 'narrow' ? <MachineCards {...shared} /> : <MachineTable {...shared} />}
      {openId !== null && view.status === 'ready' && (
        <PaneFrame layout={layout} label={t.pane.label(opened?.machine_name ?? '')} onClose={close}>
          <Suspense>
            <MachineDetailPane
              machine={opened}
              tab={search.tab}
              onTab={(tab: PaneTab) =>
                updateSearch({ tab: tab === 'overview' ? undefined : tab }, { replace: true })
              }
              onClose={close}
              onPrevious={previous && (() => open(previous.machine_id))}
              onNext={next && (() => open(next.machine_id))}
            />
          </Suspense>
        </PaneFrame>
      )}
      {adding && (
        <Suspense>
          <AddMachineDialog
            code={adding.code}
            machines={view.all}
            groups={view.groups}
            onClose={() => setAdding(null)}
            onOpen={(machineId) => {
              setAdding(null)
              open(machineId)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
