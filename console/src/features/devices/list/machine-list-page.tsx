import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useKeyValueWatch } from '../../../entities/machine/use-key-value-watch.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { useReturnedDraft } from '../../../shared/session/drafts.ts'
import { usePendingAction } from '../../../shared/session/pending-action.ts'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import { ErrorFence } from '../../../shared/ui/error-fence.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { PaneFrame } from '../../../shared/ui/pane/pane-frame.tsx'
import { preloadWhenIdle } from '../../../shared/ui/preload-when-idle.ts'
import { useListKeys } from '../../../shared/ui/use-list-keys.ts'
import type { Bulk } from '../bulk/bulk-acts.ts'
import { useListSearch } from '../list-search.ts'
import { openedAct, useOpenedAct } from '../machine-acts.ts'
import { ListMenu } from '../machine-menu.tsx'
import type { PaneTab } from '../pane/machine-detail-pane.tsx'
import { useDeviceSpace } from '../space.ts'
import { MachineCards } from './machine-cards.tsx'
import css from './machine-list-page.module.css'
import { MachineTable } from './machine-table.tsx'
import { useLooking } from './use-looking.ts'
import { useMachineList } from './use-machine-list.ts'
import { useMayMap } from './view-switch.tsx'

const MachineDetailPane = lazyPart(() =>
  import('../pane/machine-detail-pane.tsx').then((module) => module.MachineDetailPane),
)
const MachineMap = lazyPart(() => import('../map/machine-map.tsx').then((module) => module.MachineMap))
const AddMachineDialog = lazyPart(
  () => import('../add/add-machine-dialog.tsx').then((module) => module.AddMachineDialog),
  'dialog',
)

const MaintenanceRequestDialog = lazyPart(
  () =>
    import('../../../entities/machine/maintenance-request-dialog.tsx').then(
      (module) => module.MaintenanceRequestDialog,
    ),
  'dialog',
)

const BulkDialog = lazyPart(
  () => import('../bulk/bulk-dialog.tsx').then((module) => module.BulkDialog),
  'dialog',
)

const MachineDialogs = lazyPart(
  () => import('../machine-dialogs.tsx').then((module) => module.MachineDialogs),
  'dialog',
)

/** A closed pane removes its charts from the address. */
const noHistory = {
  tags: undefined,
  last: undefined,
  from: undefined,
  until: undefined,
  large: undefined,
  table: undefined,
}

const nothingSelected: ReadonlySet<RowKey> = new Set()

/** The search field of whichever layout is drawn. */
const searchSelector = 'search input'

/** The devices of a space, with an open one beside the list, or over it on a phone. */
export function MachineListPage(): ReactNode {
  const t = useText().machines
  const space = useDeviceSpace()
  const layout = useLayoutKind()
  const [search, updateSearch] = useListSearch()
  const [looking, lookingProps] = useLooking()
  const view = useMachineList(looking)
  const onVisibleChange = useKeyValueWatch(view.rows)
  const [active, setActive] = useState<number | null>(null)
  const [adding, setAdding] = useState<{ code: string; name?: string | undefined } | null>(null)
  const [added, setAdded] = useState<number>()
  const [selected, select] = useState(nothingSelected)
  const [bulk, setBulk] = useState<Bulk>()
  const act = useOpenedAct()
  const { data: person } = useQuery(personQuery)
  const draftName = space.kind === 'personal' ? 'add-machine' : 'add-enterprise-machine'
  useReturnedDraft(draftName, person?.userid, ({ code = '', name }) => setAdding({ code, name }))
  const isMap = useMayMap() && search.listType === 'map'
  const openId = search.machine ?? null
  const activeKey = active ?? openId
  usePendingAction('addMachine', () => setAdding({ code: '' }))

  const open = useCallback(
    (machineId: number) => {
      setActive(machineId)
      // Opening the first one adds a history entry; moving from one to the next does not.
      updateSearch({ machine: machineId, tags: undefined }, { replace: openId !== null })
    },
    [updateSearch, openId],
  )
  const openRow = useCallback((machine: Machine) => open(machine.id), [open])
  const close = useCallback(
    () => updateSearch({ machine: undefined, tab: undefined, ...noHistory }),
    [updateSearch],
  )
  const isLarge = layout === 'wide' && openId !== null && search.tab === 'history' && search.large === true
  const closeOrShrink = () => (isLarge ? updateSearch({ large: undefined }) : close())

  function neighbour(step: number): Machine | undefined {
    const place = view.rows.findIndex((machine) => machine.id === (openId ?? activeKey))
    return place < 0 && step < 0 ? undefined : view.rows[place + step]
  }

  function move(step: number) {
    const machine = neighbour(step)
    if (!machine) return
    if (openId !== null) open(machine.id)
    else setActive(machine.id)
  }

  useListKeys({
    onNext: () => move(1),
    onPrevious: () => move(-1),
    onOpen: () => activeKey !== null && open(activeKey),
    onClose: () => {
      if (openId !== null) closeOrShrink()
      else if (selected.size > 0) select(nothingSelected)
    },
    onSearch: () => document.querySelector<HTMLInputElement>(searchSelector)?.focus(),
  })

  const isReady = view.status === 'ready'
  // Preloads the likely next parts, so that they open immediately even while the platform is away.
  useEffect(() => (isReady ? preloadWhenIdle([MachineDetailPane, AddMachineDialog]) : undefined), [isReady])

  const shared = {
    view,
    openId,
    activeKey,
    onActiveChange: setActive,
    onOpen: openRow,
    onVisibleChange,
    onAdd: (code?: string) => setAdding({ code: code ?? '' }),
    lookingProps,
    selected,
    select,
    onBulk: setBulk,
  }
  const [previous, next] = [neighbour(-1), neighbour(1)]
  const opened = view.find(openId)

  return (
    <Row align="stretch" grows className={css.page}>
      <div className={css.behind} inert={isLarge}>
        {isMap ? (
          <MachineMap {...shared} layout={layout} />
        ) : layout === 'narrow' ? (
          <MachineCards {...shared} />
        ) : (
          <MachineTable {...shared} />
        )}
      </div>
      {openId !== null && isReady && (
        <PaneFrame layout={layout} large={isLarge} label={t.pane.label(opened?.name ?? '')} onClose={close}>
          <ErrorFence name={String(openId)}>
            <MachineDetailPane
              machine={opened}
              isComing={openId === added && view.retrying}
              large={isLarge}
              tab={search.tab}
              onTab={(tab: PaneTab) =>
                updateSearch({ tab: tab === 'overview' ? undefined : tab }, { replace: true })
              }
              onClose={close}
              onPrevious={previous && (() => open(previous.id))}
              onNext={next && (() => open(next.id))}
            />
          </ErrorFence>
        </PaneFrame>
      )}
      <ListMenu />
      {act && (
        <MachineDialogs
          act={act}
          onClose={() => openedAct.set(undefined)}
          onRemoved={(machineId) => machineId === openId && close()}
        />
      )}
      {bulk && <BulkDialog {...bulk} select={select} onClose={() => setBulk(undefined)} />}
      {adding && space.kind === 'maintained' && (
        <MaintenanceRequestDialog eid={space.eid} onClose={() => setAdding(null)} />
      )}
      {adding && space.kind !== 'maintained' && (
        <AddMachineDialog
          code={adding.code}
          name={adding.name}
          machines={view.all}
          groups={view.groups}
          onClose={() => setAdding(null)}
          onOpen={(machineId) => {
            setAdding(null)
            setAdded(machineId)
            open(machineId)
          }}
        />
      )}
    </Row>
  )
}
