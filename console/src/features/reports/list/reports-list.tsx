import { mayInEnterprise, reports } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { permissionQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { emptyMark, formatMinute, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { Lines, NameCell, RowActions } from '../../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../../shared/ui/table/table-source.ts'
import { useTableView } from '../../../shared/ui/table/use-table-view.ts'
import { Tag } from '../../../shared/ui/tag.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type ReportRow, reportListQuery, reportsKey } from '../report-queries.ts'
import { useReportsText } from '../reports-text.ts'
import { runTones } from '../run-tones.ts'
import { useReportsSearch } from '../use-reports-search.ts'

const keyOf = ({ id }: ReportRow) => id
const nameOf = ({ name }: ReportRow) => name

/** The scheduled reports of a space. */
export function ReportsList({ space }: { space: PageSpace }) {
  const text = useText()
  const all = useReportsText()
  const t = all.list
  const [, open] = useReportsSearch()
  const view = useTableView({ id: 'reports' })
  const query = useQuery(reportListQuery(space.asked))
  const { eid } = space.asked
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  const mayEdit = eid === undefined || mayInEnterprise(permission, 'manage')
  const [removing, remove] = useState<ReportRow>()
  const run = useAct({
    call: ({ id }: ReportRow) => call(reports.runReport, { id }),
    done: all.runs.started,
    touched: [reportsKey],
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons of a row do the same with each drawing
  const columns = useMemo(
    (): readonly TableColumn<ReportRow>[] => [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 200, grow: 3, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, schedule }) => <NameCell name={name} minor={all.schedule.words(schedule)} />,
      },
      {
        id: 'every',
        title: t.columns.every,
        ...{ width: 100, rank: 6 },
        value: ({ schedule }) => schedule.every,
        cell: ({ schedule }) => all.schedule.every[schedule.every],
        filter: { kind: 'choice', choices: all.schedule.every },
      },
      {
        id: 'next',
        title: t.columns.next,
        ...{ width: 150, grow: 1, rank: 1, card: 'half' },
        value: ({ nextAt }) => nextAt ?? Number.POSITIVE_INFINITY,
        cell: ({ nextAt }) => (nextAt === null ? t.paused : formatMinute(nextAt)),
      },
      {
        id: 'last',
        title: t.columns.last,
        ...{ width: 160, grow: 1, rank: 2, card: 'half' },
        value: ({ lastRun }) => lastRun?.at ?? 0,
        cell: ({ lastRun }) =>
          lastRun ? (
            <Lines
              main={<Tag tone={runTones[lastRun.state]}>{all.runs.states[lastRun.state]}</Tag>}
              minor={<RelativeTime at={lastRun.at} />}
            />
          ) : (
            emptyMark
          ),
      },
      {
        id: 'machines',
        title: t.columns.machines,
        ...{ width: 90, rank: 4 },
        value: ({ machines }) => machines,
      },
      {
        id: 'recipients',
        title: t.columns.recipients,
        ...{ width: 100, rank: 5 },
        value: ({ recipients }) => recipients,
      },
      {
        id: 'formats',
        title: t.columns.formats,
        ...{ width: 120, rank: 3 },
        value: ({ formats }) => formats.map((format) => all.formats[format]).join(', '),
      },
      actionsColumn<ReportRow>(text.table.actions, 60, (row) =>
        row.mayEdit ? (
          <RowActions>
            <Menu
              label={t.more(row.name)}
              placement="bottom end"
              trigger={<IconButton icon="more" size="small" label={t.more(row.name)} />}
            >
              <MenuItem icon="refresh" onAction={() => run.mutate(row)}>
                {all.runs.now}
              </MenuItem>
              <MenuItem icon="trash" onAction={() => remove(row)}>
                {t.remove}
              </MenuItem>
            </Menu>
          </RowActions>
        ) : null,
      ),
    ],
    [all, text],
  )

  return (
    <>
      <DataTable
        title={t.title}
        lead={t.lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        onOpen={({ id }) => open({ report: id })}
        actions={
          mayEdit && (
            <Button kind="primary" icon="plus" onClick={() => open({ add: true })}>
              {t.add}
            </Button>
          )
        }
        empty={{ icon: 'chart', title: t.empty, hint: mayEdit ? t.emptyHint : t.emptyMember }}
      />
      {removing && (
        <ConfirmDialog
          confirmation={{
            title: t.removeTitle(removing.name),
            body: t.removeBody,
            action: t.remove,
            done: t.removed(removing.name),
            call: () => call(reports.deleteReport, { id: removing.id }),
          }}
          onClose={() => remove(undefined)}
          onSettled={async () => void (await query.refetch())}
        />
      )}
    </>
  )
}
