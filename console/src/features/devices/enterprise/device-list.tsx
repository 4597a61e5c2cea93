import { enterprises, mayCall } from '@busbar/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { DeviceType, Permission } from '../../../entities/enterprise/enterprise-queries.ts'
import { MaintenanceRequestDialog } from '../../../entities/enterprise/maintenance-request-dialog.tsx'
import type { OnlineFilter } from '../../../entities/machine/device-order.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import type { MachineList } from '../../../entities/machine/machine-queries.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { GridSort } from '../../../shared/ui/data/grid-sort.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { VirtualGrid } from '../../../shared/ui/data/virtual-grid.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { Segmented } from '../../../shared/ui/segmented.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { TransferBanner } from '../transfer/transfer-banner.tsx'
import { AddDeviceDialog } from './add-device-dialog.tsx'
import { deviceColumns, EnterDevice, MaintenanceSpan } from './device-columns.tsx'
import css from './device-page.module.css'

interface DeviceListProps {
  eid: number
  type: DeviceType
  devices: UseQueryResult<MachineList>
  permission: Permission | undefined
  /** What the filters leave. */
  rows: readonly Machine[]
  query: string
  onQuery: (query: string) => void
  groupId: number | undefined
  onGroup: (groupId: number | undefined) => void
  online: OnlineFilter
  onOnline: (online: OnlineFilter) => void
  sort: GridSort | null
  onSort: (columnId: string) => void
  openId: number | null
  activeKey: number | null
  onActiveChange: (deviceId: number) => void
  onOpen: (deviceId: number) => void
}

const rowHeight = 40
const onlineFilters: readonly OnlineFilter[] = ['all', 'online', 'offline']

/** The list with its filters and its one button: adding a device, or asking to maintain one. */
export function DeviceList(props: DeviceListProps): ReactNode {
  const { eid, type, devices, permission, rows, query, groupId, onOpen } = props
  const text = useText()
  const t = text.enterprises.devices
  const layout = useLayoutKind()
  const [adding, setAdding] = useState(false)
  const all = devices.data?.list ?? []
  const isOwned = type === 1
  const mayAdd = mayCall(
    isOwned ? enterprises.addEnterpriseMachine : enterprises.requestMaintenance,
    permission,
  )
  const groups = useMemo(() => listGroups(all), [all])
  const types = useMachineTypes()
  const columns = useMemo(() => deviceColumns(text, type, types), [text, type, types])
  const counts = useMemo(() => countOnline(all), [all])

  const add = mayAdd && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {isOwned ? t.add : t.ask}
    </Button>
  )

  function empty(): ReactNode {
    if (devices.isError && !devices.data)
      return (
        <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
          <Button icon="refresh" busy={devices.isFetching} onClick={() => void devices.refetch()}>
            {text.app.retry}
          </Button>
        </EmptyState>
      )
    if (!devices.data) return <Skeletons />
    if (all.length > 0)
      return (
        <EmptyState icon="search" title={t.empty.match} hint={t.empty.matchHint}>
          <Button
            onClick={() => {
              props.onQuery('')
              props.onGroup(undefined)
              props.onOnline('all')
            }}
          >
            {t.empty.clear}
          </Button>
        </EmptyState>
      )
    return isOwned ? (
      <EmptyState icon="devices" title={t.empty.owned} hint={t.empty.ownedHint} />
    ) : (
      <EmptyState icon="clock" title={t.empty.maintained} hint={t.empty.maintainedHint} />
    )
  }

  return (
    <div className={css.column}>
      <header className={css.head}>
        <h1>{isOwned ? t.owned : t.maintained}</h1>
        {add}
      </header>
      {isOwned && <TransferBanner eid={eid} />}
      <section className={css.panel} aria-label={t.list}>
        <search className={css.toolbar}>
          <SearchField label={t.search} value={query} onChange={props.onQuery} className={css.search} />
          <Segmented<OnlineFilter>
            label={t.columns.state}
            value={props.online}
            onChange={props.onOnline}
            options={onlineFilters.map((value) => ({
              value,
              label: t.states[value],
              count: counts[value],
            }))}
          />
          {groups.length > 0 && (
            <select
              className={css.group}
              aria-label={t.group}
              value={groupId ?? ''}
              onChange={({ target }) => props.onGroup(target.value ? Number(target.value) : undefined)}
            >
              <option value="">{t.allGroups}</option>
              {groups.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </search>
        {layout === 'narrow' ? (
          <div className={css.cards}>{rows.length > 0 ? <Cards rows={rows} onOpen={onOpen} /> : empty()}</div>
        ) : (
          <div className={css.rows}>
            <VirtualGrid
              label={t.list}
              columns={columns}
              rows={rows}
              rowKey={(machine) => machine.id}
              rowHeight={rowHeight}
              selectedKey={props.openId}
              activeKey={props.activeKey}
              onActiveChange={props.onActiveChange}
              onOpen={(machine) => onOpen(machine.id)}
              sort={props.sort}
              onSort={props.onSort}
              busy={devices.isPending}
              empty={empty()}
            />
          </div>
        )}
        <footer className={css.foot}>
          <span role="status">
            {devices.data && t.count(formatNumber(rows.length), formatNumber(all.length))}
          </span>
        </footer>
      </section>
      {adding &&
        (isOwned ? (
          <AddDeviceDialog eid={eid} onClose={() => setAdding(false)} />
        ) : (
          <MaintenanceRequestDialog eid={eid} onClose={() => setAdding(false)} />
        ))}
    </div>
  )
}

function countOnline(machines: readonly Machine[]): Record<OnlineFilter, number> {
  const online = machines.filter((machine) => machine.online).length
  return { all: machines.length, online, offline: machines.length - online }
}

/** The groups that hold any of the devices, by name. */
function listGroups(machines: readonly Machine[]): [number, string][] {
  const names = new Map<number, string>()
  for (const { groups } of machines) for (const { id, name } of groups) names.set(id, name)
  return [...names].sort(([, a], [, b]) => a.localeCompare(b))
}

function Cards({ rows, onOpen }: { rows: readonly Machine[]; onOpen: (deviceId: number) => void }) {
  return (
    <ul>
      {rows.map((machine) => (
        <li key={machine.id} className={css.card}>
          <StateGlyph state={machine.online ? 'online' : 'offline'} word="hidden" />
          <button type="button" className={css.lines} onClick={() => onOpen(machine.id)}>
            <span className={css.name}>{machine.name}</span>
            <span className={`${css.minor} mono`}>{machine.code}</span>
            {machine.enterprise?.window && <MaintenanceSpan machine={machine} />}
          </button>
          <EnterDevice machine={machine} />
        </li>
      ))}
    </ul>
  )
}

function Skeletons() {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: 8 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={place} className={css.card}>
          <Skeleton width={10} height={10} />
          <Skeleton width={140 + ((place * 37) % 60)} height={12} />
        </li>
      ))}
    </ul>
  )
}
