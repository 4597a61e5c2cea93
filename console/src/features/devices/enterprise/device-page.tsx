import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type DeviceType, permissionQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { NoSpace } from '../../../entities/enterprise/no-space.tsx'
import {
  filterDevices,
  nextSort,
  type OnlineFilter,
  sortDevices,
} from '../../../entities/machine/device-order.ts'
import { enterpriseMachinesQuery } from '../../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { enterprisesQuery } from '../../../shared/session/account-queries.ts'
import { getPreferences } from '../../../shared/session/preferences.ts'
import { rememberSpace, useSpace } from '../../../shared/session/space.ts'
import type { GridSort } from '../../../shared/ui/data/grid-sort.ts'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import { PaneFrame } from '../../../shared/ui/pane/pane-frame.tsx'
import type { DeviceSearch } from '../search.ts'
import { DeviceList } from './device-list.tsx'
import css from './device-page.module.css'
import { DevicePane } from './device-pane.tsx'

/** An enterprise's own devices, or those it maintains, with one open beside the list. */
export function DevicePage(): ReactNode {
  const { type } = useSearch({ from: '/shell/device' })
  const space = useSpace()
  const eid = space?.eid
  useEffect(() => {
    if (eid !== undefined) rememberSpace(eid, type)
  }, [eid, type])
  const { isSuccess } = useQuery(enterprisesQuery)
  useLostSpace(isSuccess, space !== undefined)
  if (!space) return isSuccess && <NoSpace />
  // Another space is another page: nothing of the former stays.
  return <OfSpace key={`${space.eid} ${type}`} eid={space.eid} type={type} />
}

/**
 * Leaves a remembered space that is none of the person's for their own list: somebody else used this browser, or they
 * were taken out of it while they were away. It is judged once, with the first answer to which spaces there are:
 * whoever is taken out while they look stays and is told.
 */
function useLostSpace(isKnown: boolean, isIn: boolean): void {
  const { eid } = useSearch({ from: '/shell/device' })
  const navigate = useNavigate()
  const isOpen = useRef(!isKnown)
  useEffect(() => {
    if (!isKnown || !isOpen.current) return
    isOpen.current = false
    if (isIn || eid === undefined || eid !== getPreferences().eid) return
    rememberSpace(0, 0)
    void navigate({ to: '/index/', replace: true })
  }, [isKnown, isIn, eid, navigate])
}

function OfSpace({ eid, type }: { eid: number; type: DeviceType }) {
  const t = useText().enterprises.devices
  const layout = useLayoutKind()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/device' })
  const devices = useQuery(enterpriseMachinesQuery(eid, type, useLang()))
  const { data: permission } = useQuery(permissionQuery(eid))
  const [query, setQuery] = useState('')
  const asked = useDeferredValue(query)
  const [active, setActive] = useState<number | null>(null)
  const all = devices.data?.list
  const [online, setOnline] = useState<OnlineFilter>('all')
  const [sort, setSort] = useState<GridSort | null>(null)
  const rows = useMemo(
    () => sortDevices(filterDevices(all ?? [], { query: asked, groupId: search.group, online }), sort),
    [all, asked, search.group, online, sort],
  )
  const update = (change: { [K in keyof DeviceSearch]?: DeviceSearch[K] | undefined }) =>
    void navigate({
      to: '/device/',
      search: (before) => ({ ...before, type, eid, ...change }) as DeviceSearch,
    })
  const opened = all?.find((machine) => machine.id === search.device)
  const close = () => update({ device: undefined })

  return (
    <div className={css.page}>
      <DeviceList
        eid={eid}
        type={type}
        devices={devices}
        permission={permission}
        rows={rows}
        query={query}
        onQuery={setQuery}
        groupId={search.group}
        onGroup={(group) => update({ group })}
        online={online}
        onOnline={setOnline}
        sort={sort}
        onSort={(columnId) => setSort(nextSort(sort, columnId))}
        openId={search.device ?? null}
        activeKey={active ?? search.device ?? null}
        onActiveChange={setActive}
        onOpen={(device) => update({ device })}
      />
      {opened && permission && (
        <PaneFrame layout={layout} label={t.openOf(opened.name)} onClose={close}>
          <DevicePane
            key={opened.id}
            eid={eid}
            type={type}
            machine={opened}
            permission={permission}
            onClose={close}
          />
        </PaneFrame>
      )}
    </div>
  )
}
