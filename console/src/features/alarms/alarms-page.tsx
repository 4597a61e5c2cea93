import type { ReactNode } from 'react'
import type { AlarmState } from '../../entities/alarm/alarm.ts'
import { AlarmCentre } from '../../entities/alarm/alarm-centre.tsx'
import { useAlarmSync } from '../../entities/alarm/use-alarm-sync.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { ErrorFence } from '../../shared/ui/error-fence.tsx'
import { useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { PaneFrame } from '../../shared/ui/pane/pane-frame.tsx'
import { chosenOf } from '../../shared/ui/table/filter.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { AlarmList } from './list/alarm-list.tsx'
import { filterIds } from './list/alarm-wish.ts'
import { AlarmCharts, AlarmStates } from './overview/alarm-overview.tsx'
import { AlarmPane } from './page/alarm-pane.tsx'
import { useAlarmsSearch } from './use-alarms-search.ts'

/** The alarms of a space: how many, which, and one of them beside the list. */
export function AlarmsPage(): ReactNode {
  useAlarmSync()
  const t = useText().alarms.page
  const layout = useLayoutKind()
  const [{ alarm }, update] = useAlarmsSearch()
  const close = () => update({ alarm: undefined })
  return (
    <AlarmCentre
      tab="alarms"
      pane={
        alarm !== undefined && (
          <PaneFrame layout={layout} label={t.frame} onClose={close}>
            <ErrorFence name={String(alarm)}>
              <AlarmPane key={alarm} id={alarm} onClose={close} />
            </ErrorFence>
          </PaneFrame>
        )
      }
    >
      {(space) => <AlarmsOfSpace space={space} />}
    </AlarmCentre>
  )
}

function AlarmsOfSpace({ space }: { space: PageSpace }) {
  const [{ alarm, machine }, update] = useAlarmsSearch()
  const view = useTableView({ id: 'alarms' })
  const asked = { ...space.asked, ...(machine === undefined ? {} : { machineId: machine }) }
  const showState = (state: AlarmState | undefined) =>
    view.setFilter(filterIds.state, state && { kind: 'choice', chosen: [state] })
  return (
    <>
      <AlarmList
        space={space}
        view={view}
        counts={
          <AlarmStates
            asked={asked}
            state={chosenOf<AlarmState>(view.ask.filters, filterIds.state)}
            onState={showState}
          />
        }
      />
      {alarm === undefined && (
        <AlarmCharts
          asked={asked}
          onLevel={(level) => {
            view.setFilter(filterIds.level, { kind: 'choice', chosen: [level] })
            showState('active')
          }}
          onMachine={(chosen) => update({ machine: chosen }, { replace: true })}
        />
      )}
    </>
  )
}
