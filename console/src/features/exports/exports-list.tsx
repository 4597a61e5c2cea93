import { exports as contract, errorText } from '@busbar/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatBytes, formatMinute, formatNumber, formatPercent, useLang } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { Lines } from '../../shared/ui/table/cells.tsx'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { type ExportRow, exportListQuery, exportsKey, isOpen } from './export-queries.ts'
import css from './exports.module.css'
import { type ExportsText, useExportsText } from './exports-text.ts'
import { parseTags } from './search.ts'
import { useExportSync } from './use-export-sync.ts'

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
  const t = useExportsText()
  const lang = useLang()
  const search = useSearch({ from: '/shell/dataCenter/exports' })
  const navigate = useNavigate()
  useExportSync()
  const wished = useMemo(() => parseTags(search.tags), [search.tags])
  const [isAdding, add] = useState(false)
  const [lost, tellLost] = useState<readonly string[]>()
  // A link alone would download an error page if the rights have changed.
  async function download({ jobId, name }: ExportRow) {
    const { url, lost: unreadable } = await call(contract.getExport, { jobId })
    if (url !== null) saveFrom(url, name)
    else tellLost(unreadable)
  }

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
      <List
        id="exports"
        title={t.title}
        lead={t.lead}
        rows={whole(exportListQuery())}
        rowKey="jobId"
        titles={t.columns}
        columns={{
          name: {
            kind: 'name',
            value: 'name',
            minor: ({ machines, tags }) => `${machines.join(' · ')} · ${t.tags(tags)}`,
            width: 220,
            grow: 3,
          },
          state: {
            kind: 'state',
            value: 'state',
            words: t.states,
            filter: 'several',
            cell: (row) => <StateCell row={row} />,
            width: 150,
            grow: 1,
            rank: 1,
            card: 'half',
          },
          span: {
            kind: 'time',
            value: 'from',
            as: 'minute',
            minor: ({ to }) => formatMinute(to),
            width: 170,
            grow: 1,
            rank: 4,
          },
          form: {
            kind: 'text',
            value: ({ format }) => t.form.formats[format],
            minor: ({ interval }) => (interval ? t.form.intervals[interval] : t.form.allSamples),
            rank: 5,
          },
          size: {
            kind: 'count',
            value: 'bytes',
            words: (bytes) => formatBytes(bytes),
            minor: ({ rows }) => rows !== null && t.rows(formatNumber(rows)),
            width: 110,
            rank: 3,
          },
          expires: { kind: 'time', value: 'expiresAt', as: 'minute', grow: 1, rank: 2 },
        }}
        search={t.search}
        searched={({ machines }) => machines}
        touched={[exportsKey]}
        add={{ label: t.add, run: () => add(true) }}
        acts={[
          {
            label: t.download,
            icon: 'download',
            of: ({ name }) => t.downloadOf(name),
            fits: ({ state }) => state === 'ready',
            run: download,
            touched: [],
          },
          {
            ...calls(contract.deleteExport, ({ jobId }: ExportRow) => ({ jobId })),
            label: t.cancel,
            icon: 'close',
            of: ({ name }) => t.cancelOf(name),
            fits: isOpen,
            done: t.cancelled,
          },
          {
            ...calls(contract.deleteExport, ({ jobId }: ExportRow) => ({ jobId })),
            label: t.remove,
            icon: 'trash',
            of: ({ name }) => t.removeOf(name),
            fits: (row) => !isOpen(row),
            done: t.removed,
          },
        ]}
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
      <Row gap={8} numbers>
        <progress
          className={css.bar}
          value={progress}
          max={1}
          aria-label={t.percent(formatPercent(progress, 0))}
        />
        <span>{formatPercent(progress, 0)}</span>
      </Row>
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
