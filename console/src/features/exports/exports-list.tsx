import { exports as contract, errorText } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import {
  emptyMark,
  formatBytes,
  formatMinute,
  formatNumber,
  formatPercent,
  useLang,
  useText,
} from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Lines, NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { refusalText, useAct } from '../../shared/ui/use-act.ts'
import { ExportDialog } from './export-dialog.tsx'
import { type ExportRow, exportListQuery, exportsKey, isOpen } from './export-queries.ts'
import css from './exports.module.css'
import { type ExportsText, useExportsText } from './exports-text.ts'
import { parseTags } from './search.ts'
import { useExportSync } from './use-export-sync.ts'

const keyOf = ({ jobId }: ExportRow) => jobId
const nameOf = ({ name }: ExportRow) => name

const tones: Readonly<Record<ExportRow['state'], TagTone>> = {
  waiting: 'plain',
  running: 'accent',
  ready: 'good',
  failed: 'bad',
  cancelled: 'plain',
  expired: 'plain',
  displaced: 'warn',
}

/** The caller's exports, and the form that makes another one. */
export function ExportsList({ space }: { space: PageSpace }) {
  const text = useText()
  const t = useExportsText()
  const lang = useLang()
  const search = useSearch({ from: '/shell/dataCenter/exports' })
  const navigate = useNavigate()
  const view = useTableView({ id: 'exports' })
  const query = useQuery(exportListQuery())
  useExportSync()
  const wished = useMemo(() => parseTags(search.tags), [search.tags])
  const [isAdding, add] = useState(false)
  const [lost, tellLost] = useState<readonly string[]>()
  const remove = useAct({
    call: (row: ExportRow) => call(contract.deleteExport, { jobId: row.jobId }),
    done: (row) => (isOpen(row) ? t.cancelled : t.removed),
    touched: [exportsKey],
  })
  const download = useMutation({
    // A link alone would download an error page if the rights have changed.
    mutationFn: async ({ jobId, name }: ExportRow) => {
      const { url, lost } = await call(contract.getExport, { jobId })
      if (url !== null) saveFrom(url, name)
      else tellLost(lost)
    },
    onError: (error) => {
      const refused = refusalText(error, text.access.confirm.failed)
      if (refused) showToast(refused, 'failure')
    },
  })

  const columns = useMemo(
    (): readonly TableColumn<ExportRow>[] => [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 220, grow: 3, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, machines, tags }) => (
          <NameCell name={name} minor={`${machines.join(' · ')} · ${t.tags(tags)}`} />
        ),
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 150, grow: 1, rank: 1, card: 'half' },
        value: ({ state }) => state,
        csv: ({ state }) => t.states[state],
        filter: { kind: 'choice', choices: t.states },
        cell: (row) => <StateCell row={row} />,
      },
      {
        id: 'span',
        title: t.columns.span,
        ...{ width: 170, grow: 1, rank: 4 },
        value: ({ from }) => from,
        cell: ({ from, to }) => <Lines main={formatMinute(from)} minor={formatMinute(to)} />,
      },
      {
        id: 'form',
        title: t.columns.form,
        ...{ width: 130, grow: 1, rank: 5 },
        value: ({ format }) => format,
        cell: ({ format, interval }) => (
          <Lines
            main={t.form.formats[format]}
            minor={interval ? t.form.intervals[interval] : t.form.allSamples}
          />
        ),
      },
      {
        id: 'size',
        title: t.columns.size,
        ...{ width: 110, rank: 3 },
        value: ({ bytes }) => bytes,
        cell: ({ bytes, rows }) =>
          bytes === null ? (
            emptyMark
          ) : (
            <Lines main={formatBytes(bytes)} minor={rows === null ? undefined : t.rows(formatNumber(rows))} />
          ),
      },
      {
        id: 'expires',
        title: t.columns.expires,
        ...{ width: 130, grow: 1, rank: 2 },
        value: ({ expiresAt }) => expiresAt,
        cell: ({ expiresAt }) => (expiresAt === null ? emptyMark : formatMinute(expiresAt)),
      },
      actionsColumn<ExportRow>(text.table.actions, 96, (row) => (
        <RowActions>
          {row.state === 'ready' && (
            <IconButton
              icon="download"
              size="small"
              label={t.downloadOf(row.name)}
              onClick={() => download.mutate(row)}
            />
          )}
          <IconButton
            icon={isOpen(row) ? 'close' : 'trash'}
            size="small"
            label={isOpen(row) ? t.cancelOf(row.name) : t.removeOf(row.name)}
            onClick={() => remove.mutate(row)}
          />
        </RowActions>
      )),
    ],
    [t, text, download.mutate, remove.mutate],
  )

  const close = () => {
    add(false)
    if (search.tags !== undefined || search.from !== undefined)
      void navigate({
        to: '/dataCenter/exports',
        search: search.eid === undefined ? {} : { eid: search.eid },
        replace: true,
      })
  }
  return (
    <>
      <DataTable<ExportRow, string>
        title={t.title}
        lead={t.lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        searched={({ machines }) => machines}
        actions={
          <Button kind="primary" icon="plus" onClick={() => add(true)}>
            {t.add}
          </Button>
        }
        empty={{ icon: 'download', title: t.empty, hint: t.emptyHint }}
      />
      {(isAdding || wished.length > 0) && (
        <ExportDialog
          key={`${search.tags} ${lang}`}
          space={space}
          first={{
            tagIds: wished,
            ...(search.from && search.to ? { span: { from: search.from, to: search.to } } : {}),
            ...(search.tz ? { zone: search.tz } : {}),
          }}
          onClose={close}
        />
      )}
      {lost && (
        <Dialog
          title={t.lostTitle}
          onClose={() => tellLost(undefined)}
          actions={<Button onClick={() => tellLost(undefined)}>{t.close}</Button>}
        >
          <p>{t.lost}</p>
          <ul className={css.lost}>
            {lost.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

function StateCell({ row }: { row: ExportRow }) {
  const t = useExportsText()
  const lang = useLang()
  const { state, progress, reason, damaged, endedAt } = row
  if (state === 'running')
    return (
      <div className={css.running}>
        <progress
          className={css.bar}
          value={progress}
          max={1}
          aria-label={t.percent(formatPercent(progress, 0))}
        />
        <span>{formatPercent(progress, 0)}</span>
      </div>
    )
  const minor = minorOf(t, {
    state,
    damaged,
    failure: reason === '' ? undefined : (errorText(reason, lang) ?? reason),
  })
  return (
    <Lines
      main={<Tag tone={tones[state]}>{t.states[state]}</Tag>}
      minor={minor ?? (endedAt === null ? undefined : <RelativeTime at={endedAt} />)}
    />
  )
}

const minorOf = (
  t: ExportsText,
  { state, damaged, failure }: Pick<ExportRow, 'state' | 'damaged'> & { failure: string | undefined },
): string | undefined => {
  if (state === 'displaced') return t.displacedHint
  return failure ?? (damaged ? t.damaged : undefined)
}

/** Has the browser download the file directly: it may be larger than memory. */
function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
