import { alarmLimits, alarms } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Alarm, nameOfAlarm } from '../../../entities/alarm/alarm.ts'
import { type AlarmAct, allowsAct } from '../../../entities/alarm/alarm-acts.ts'
import { alarmListQuery } from '../../../entities/alarm/alarm-queries.ts'
import { useAlarmActs } from '../../../entities/alarm/use-alarm-acts.tsx'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { fileStamp, ownCsvWish } from '../../../shared/ui/data/csv.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { pagedList } from '../../../shared/ui/table/table-source.ts'
import type { ListFilter } from '../../../shared/ui/table/use-rows.ts'
import type { TableView } from '../../../shared/ui/table/use-table-view.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { useAlarmsSearch } from '../use-alarms-search.ts'
import { alarmColumns } from './alarm-columns.tsx'
import css from './alarm-list.module.css'
import { wishOf } from './alarm-wish.ts'
import { useSpaceMachines } from './use-space-machines.ts'

const keyOf = ({ alarmId }: Alarm) => alarmId
const acts: readonly AlarmAct[] = ['confirm', 'shelve', 'outOfService']

interface AlarmListProps {
  space: PageSpace
  view: TableView
  /** The counts that filter, in the head. */
  counts: ReactNode
}

const mayBeEmpty: ReadonlySet<string> = new Set(['value', 'lasted', 'confirmedBy'])

/** Whether a column leaves its space to others: it says the same in each row, or nothing. */
function givesWay({ id, value }: TableColumn<Alarm>, rows: readonly Alarm[] | undefined, isOfOne: boolean) {
  if (id === 'machine') return isOfOne
  return mayBeEmpty.has(id) && (rows?.every((row) => (value?.(row) ?? '') === '') ?? false)
}

/** The alarms of a space by need: searched and filtered by the platform, a page at a time. */
export function AlarmList({ space, view, counts }: AlarmListProps) {
  const text = useText()
  const t = text.alarms.list
  const lang = useLang()
  const client = useQueryClient()
  const [{ alarm: openId, machine: machineId }, update] = useAlarmsSearch()
  const { ask, dialog } = useAlarmActs()
  const { list: spaceMachines, groups } = useSpaceMachines(space)
  const wish = wishOf(view.ask, space.asked, machineId)
  const query = useQuery(alarmListQuery(wish, view.ask.page, lang))
  const isNarrowed = view.ask.search !== '' || Object.keys(view.ask.filters).length > 0
  const whole = useQuery({
    ...alarmListQuery(wishOf(undefined, space.asked, machineId), 1, lang, 1),
    enabled: isNarrowed && query.data?.total === 0,
  })
  const source = pagedList<Alarm>(query, {
    ...(isNarrowed && query.data?.total === 0 ? { hasNone: whole.data && whole.data.total === 0 } : {}),
    ...(query.data?.isCut ? { countedMax: alarmLimits.alarmTotalMax } : {}),
    load: (page) => client.fetchQuery(alarmListQuery(wish, page, lang)),
  })

  const columns = useMemo(
    () =>
      alarmColumns({
        t: text.alarms,
        levels: text.machines.alarms.levels,
        bool: text.machines.bool,
        actions: text.table.actions,
        onConfirm: (alarm) => ask('confirm', [alarm]),
      }),
    [text, ask],
  )
  const rows = query.data?.list
  const shownColumns = useMemo(
    () => columns.filter((column) => !givesWay(column, rows, machineId !== undefined)),
    [columns, rows, machineId],
  )
  const filters = useMemo(
    (): readonly ListFilter<Alarm>[] =>
      groups.length === 0
        ? []
        : [
            {
              id: 'group',
              title: t.group,
              filter: {
                kind: 'choice',
                isSingle: true,
                choices: Object.fromEntries(groups.map(({ id, name }) => [id, name])),
              },
            },
          ],
    [groups, t],
  )

  return (
    <>
      <DataTable
        title={t.title}
        isTitleHidden
        view={view}
        source={source}
        columns={shownColumns}
        filters={filters}
        rowKey={keyOf}
        rowName={nameOfAlarm}
        search={t.search}
        onOpen={({ alarmId }) => update({ alarm: alarmId }, { replace: openId !== undefined })}
        openKey={openId ?? null}
        lead={query.data?.isCut ? t.cut(formatNumber(alarmLimits.alarmTotalMax)) : undefined}
        note={
          rows &&
          rows.length > 0 && (
            <Text tone="quiet" size={12} weight={400}>
              {t.repeats}
            </Text>
          )
        }
        actions={counts}
        alsoBy={{
          isSet: machineId !== undefined,
          control: (
            <ComboBox
              label={t.columns.machine}
              isLabelHidden
              size="small"
              placeholder={t.columns.machine}
              className={css.machine}
              choices={spaceMachines.map(({ id, name }) => ({ value: String(id), label: name }))}
              chosen={machineId === undefined ? [] : [String(machineId)]}
              min={0}
              onChoose={([chosen]) =>
                update({ machine: chosen === undefined ? undefined : Number(chosen) }, { replace: true })
              }
            />
          ),
        }}
        bulk={(rows) =>
          acts.map((act) => {
            const allowed = rows.filter((row) => allowsAct(act, row))
            return (
              <Button
                key={act}
                size="small"
                disabled={allowed.length === 0}
                data-tip={allowed.length === 0 ? text.alarms.acts.none : undefined}
                onClick={() => ask(act, allowed, view)}
              >
                {text.alarms.acts[act]}
              </Button>
            )
          })
        }
        empty={{
          icon: 'alarm',
          title: machineId === undefined ? t.empty : t.emptyMachine,
          hint: t.emptyHint,
          ...(machineId === undefined
            ? {}
            : {
                action: (
                  <Button onClick={() => update({ machine: undefined }, { replace: true })}>
                    {t.allMachines}
                  </Button>
                ),
              }),
        }}
      >
        <Row pad="10 16" justify="end" line="top">
          <ExportAlarms wish={wish} isEmpty={!query.data?.total} />
        </Row>
      </DataTable>
      {dialog}
    </>
  )
}

/** Saves what matches the filters, in the order of the list; the platform writes the file, so that a long list is one call. */
function ExportAlarms({ wish, isEmpty }: { wish: ReturnType<typeof wishOf>; isEmpty: boolean }) {
  const t = useText().alarms.list
  const save = useMutation({
    mutationFn: () => call(alarms.exportAlarms, { ...wish, ...ownCsvWish() }, { noNotice: true }),
    onSuccess({ csv, lines, isCut }) {
      saveFile(`${t.title} ${fileStamp(Date.now())}.csv`, csv, 'text/csv;charset=utf-8')
      showToast((isCut ? t.exportedCut : t.exported)(formatNumber(lines)), isCut ? 'info' : 'done')
    },
    onError: () => showToast(t.exportFailed, 'failure'),
  })
  return (
    <Button
      size="small"
      icon="download"
      busy={save.isPending}
      disabled={isEmpty}
      onClick={() => save.mutate()}
    >
      {t.export}
    </Button>
  )
}
