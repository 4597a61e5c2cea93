import { operator } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatMinute, formatNumber, getLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { formatTable } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import type { TableFile } from '../../shared/ui/table-file/read-table-file.ts'
import { TableFilePicker } from '../../shared/ui/table-file/table-file-picker.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { refusalText, useAct } from '../../shared/ui/use-act.ts'
import form from './form.module.css'
import css from './import-dialog.module.css'
import { LabelSheet } from './label-sheet.tsx'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { saveSecretsFile } from './save-secrets-file.ts'

/** More are in the file of refused lines. */
const refusedShownMax = 100
const lookMs = 1_000
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const importsKey = [...operatorKey, 'imports'] as const

const isOpen = ({ state }: operator.ImportRow) => state === 'waiting' || state === 'running'

/**
 * Registers machines from a file. The platform does it, so that a page that is closed loses nothing: an import that runs, or
 * whose secrets are not saved, is shown again.
 */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useOperatorText().importing
  const { app } = useText()
  const queries = useQueryClient()
  const [file, setFile] = useState<TableFile>()
  const [jobId, setJobId] = useState<string>()
  const { data: imports } = useQuery({
    queryKey: importsKey,
    queryFn: ({ signal }) => call(operator.listMachineImports, {}, { signal, noNotice: true }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? lookMs : false),
  })
  const kept = imports?.filter((one) => isOpen(one) || one.secrets > 0) ?? []
  const shown = imports?.find((one) => one.jobId === jobId) ?? (file ? undefined : kept[0])
  const start = useMutation({
    mutationFn: (csv: string) => call(operator.importMachines, { csv }, { noNotice: true }),
    async onSuccess(answer) {
      await queries.invalidateQueries({ queryKey: importsKey })
      setJobId(answer.jobId)
    },
  })
  const hasEnded = shown !== undefined && !isOpen(shown)
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: operatorKey })
  }, [hasEnded, queries])

  return (
    <Dialog
      title={t.title}
      width={600}
      onClose={start.isPending ? undefined : onClose}
      actions={
        shown ? (
          <Button onClick={onClose}>{t.close}</Button>
        ) : (
          <>
            <Button disabled={start.isPending} onClick={onClose}>
              {app.cancel}
            </Button>
            {file && (
              <Button kind="primary" busy={start.isPending} onClick={() => start.mutate(file.text)}>
                {t.start}
              </Button>
            )}
          </>
        )
      }
    >
      <Stack gap={16}>
        {shown ? (
          <Outcome key={shown.jobId} one={shown} />
        ) : (
          <>
            <Text as="p" pretty>
              {t.lead}
            </Text>
            <p className={form.hint}>{t.excel}</p>
            <div className={css.file}>
              <TableFilePicker
                label={t.choose}
                charactersMax={operator.importCharactersMax}
                disabled={start.isPending}
                onRead={setFile}
              />
            </div>
            {start.error && (
              <p role="alert" className={form.failed}>
                {refusalText(start.error, t.failed) ?? t.failed}
              </p>
            )}
          </>
        )}
      </Stack>
    </Dialog>
  )
}

function Outcome({ one }: { one: operator.ImportRow }) {
  const t = useOperatorText().importing
  const { jobId, lines, done, created, refused, secrets, state } = one
  const runs = isOpen(one)
  const stop = useAct({
    call: () => call(operator.stopMachineImport, { jobId }),
    done: t.stopped,
    touched: [importsKey],
  })
  return (
    <>
      <progress
        className={css.progress}
        max={Math.max(lines, 1)}
        value={lines > 0 ? done : 1}
        aria-label={t.title}
      />
      <p role="status">{t.running(formatNumber(done), formatNumber(lines))}</p>
      {runs && <p className={form.hint}>{t.goesOn}</p>}
      {runs && (
        <div>
          <Button busy={stop.isPending} onClick={() => stop.mutate()}>
            {t.stop}
          </Button>
        </div>
      )}
      {state === 'stopped' && <p>{t.stopped}</p>}
      {state === 'failed' && <p className={form.wrong}>{t.broken}</p>}
      {created > 0 && <p>{t.created(formatNumber(created))}</p>}
      {!runs && secrets > 0 && <Secrets one={one} />}
      {!runs && refused > 0 && <Refused jobId={jobId} />}
    </>
  )
}

/** The secrets of an import, until the person says that they are saved. */
function Secrets({ one: { jobId, secrets, secretsUntil } }: { one: operator.ImportRow }) {
  const t = useOperatorText().importing
  const [isSaved, setSaved] = useState(false)
  const [labels, setLabels] = useState<readonly operator.MachineSecrets[]>()
  const load = useMutation({
    mutationFn: async (wish: 'xlsx' | 'csv' | 'labels') => {
      if (wish === 'xlsx') return saveFile('machines.xlsx', await loadWorkbook(jobId), xlsxType)
      const machines = await call(operator.getMachineImportSecrets, { jobId })
      if (wish === 'csv') saveSecretsFile(machines, t.fileColumns)
      else setLabels(machines)
    },
    // A label has no secret: printing them saves nothing.
    onSuccess: (_, wish) => setSaved(isSaved || wish !== 'labels'),
    onError: () => showToast(t.loadFailed, 'failure'),
  })
  const confirm = useAct({
    call: () => call(operator.confirmMachineImport, { jobId, secrets }),
    done: t.confirmed,
    touched: [importsKey],
  })
  return (
    <section className={css.part}>
      <h3>{t.secrets(formatNumber(secrets))}</h3>
      <p className={form.hint}>{t.until(secretsUntil === null ? '' : formatMinute(secretsUntil))}</p>
      <Row gap={10} wraps>
        <Button icon="download" busy={load.isPending} onClick={() => load.mutate('xlsx')}>
          {t.downloadExcel}
        </Button>
        <Button disabled={load.isPending} onClick={() => load.mutate('csv')}>
          {t.download}
        </Button>
        <Button disabled={load.isPending} onClick={() => load.mutate('labels')}>
          {t.print}
        </Button>
      </Row>
      <Row gap={10} wraps>
        <Button kind="primary" disabled={!isSaved} busy={confirm.isPending} onClick={() => confirm.mutate()}>
          {t.confirm}
        </Button>
      </Row>
      {labels && <LabelSheet machines={labels} onPrinted={() => setLabels(undefined)} />}
    </section>
  )
}

/** The secrets as a workbook, whose cells are texts. A link would save an error as well, and count as saved. */
async function loadWorkbook(jobId: string): Promise<Blob> {
  const { method, path } = operator.downloadMachineImportSecrets
  const answer = await fetch(`${path.replace(':jobId', jobId)}?lang=${getLang()}`, { method })
  if (!answer.ok || answer.headers.get('content-type') !== xlsxType) throw new Error('no workbook')
  return answer.blob()
}

function Refused({ jobId }: { jobId: string }) {
  const t = useOperatorText().importing
  const { data } = useQuery({
    queryKey: [...importsKey, jobId],
    queryFn: ({ signal }) => call(operator.getMachineImport, { jobId }, { signal }),
  })
  const refused = data?.refused ?? []

  function save(): void {
    const rows = refused.map(({ line, reason }) => [line, t.reasons[reason]])
    saveFile('refused.csv', formatTable([[t.fileColumns.line, t.fileColumns.reason], ...rows]), 'text/csv')
  }

  return (
    <section className={css.part}>
      <h3>{t.refused(formatNumber(refused.length))}</h3>
      <ul className={css.refused}>
        {refused.slice(0, refusedShownMax).map(({ line, reason }) => (
          <li key={line}>{t.line(formatNumber(line), t.reasons[reason])}</li>
        ))}
      </ul>
      <Button icon="download" onClick={save}>
        {t.refusedFile}
      </Button>
    </section>
  )
}
