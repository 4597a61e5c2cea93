import { alarms } from '@busbar/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { TableView } from '../../shared/ui/table/use-table-view.ts'
import { useAct } from '../../shared/ui/use-act.ts'
import { type ActedAlarm, type AlarmAct, touchedByAlarms } from './alarm-acts.ts'
import { ConfirmAlarmsDialog } from './confirm-alarms-dialog.tsx'
import { noteFocus } from './next-focus.ts'
import { QuietDialog } from './quiet-dialog.tsx'

interface Asked {
  readonly act: AlarmAct
  readonly rows: readonly ActedAlarm[]
  readonly view?: Pick<TableView, 'select'> | undefined
}

/** Opens the dialog of an act on one alarm or several; `dialog` has to be rendered. */
export function useAlarmActs(): {
  readonly ask: (act: AlarmAct, rows: readonly ActedAlarm[], view?: Pick<TableView, 'select'>) => void
  readonly dialog: ReactNode
} {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const moveOn = useRef<() => void>(undefined)
  // The dialog has given the focus back by then, if the pressed button still stands.
  useEffect(() => {
    if (!asked) moveOn.current?.()
  }, [asked])
  return {
    ask(act, rows, view) {
      moveOn.current = noteFocus()
      setAsked({ act, rows, view })
    },
    dialog:
      asked &&
      (asked.act === 'confirm' ? (
        <ConfirmAlarmsDialog rows={asked.rows} view={asked.view} onClose={close} />
      ) : (
        <QuietDialog kind={asked.act} rows={asked.rows} view={asked.view} onClose={close} />
      )),
  }
}

/** Ends a shelving, or returns alarms to service. */
export function useEndShelve(done: 'endDone' | 'inServiceDone') {
  const t = useText().alarms.acts
  return useAct<number>({
    call: (id) => call(alarms.endShelve, { id }),
    done: t[done],
    touched: touchedByAlarms,
  })
}
