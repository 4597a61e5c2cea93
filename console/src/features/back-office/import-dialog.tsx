import { formatCsv, operator } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TableFilePicker } from '../../shared/ui/table-file/table-file-picker.tsx'
import form from './form.module.css'
import css from './import-dialog.module.css'
import { type ImportProgress, runImport } from './import-run.ts'
import { LabelSheet } from './label-sheet.tsx'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { saveSecretsFile } from './save-secrets-file.ts'

/** More are in the file of refused lines. */
const refusedShownMax = 100
const charactersMax = 4_000_000

/** Registers machines from a file: choose it, watch the progress, save the secrets, which are shown once. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useOperatorText().importing
  const { app } = useText()
  const queries = useQueryClient()
  const [file, setFile] = useState<{ lines: readonly string[] }>()
  const [progress, setProgress] = useState<ImportProgress>()
  const [isSaved, setSaved] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const isRunning = progress?.state === 'running'
  const isUnfinished = progress?.state === 'stopped' || progress?.state === 'broken'
  const hasUnsaved = Boolean(progress && progress.secrets.length > 0 && !isSaved)
  useUnloadWarning(isRunning || hasUnsaved)

  async function start(lines: readonly string[], before?: ImportProgress): Promise<void> {
    stop.current = new AbortController()
    setSaved(false)
    setLeaving(false)
    await runImport(lines, stop.current.signal, setProgress, before)
    await queries.invalidateQueries({ queryKey: operatorKey })
  }

  function close(): void {
    if (isRunning) return
    if (hasUnsaved && !isLeaving) setLeaving(true)
    else onClose()
  }

  const problem =
    file === undefined
      ? undefined
      : file.lines.length > operator.importFileLinesMax
        ? t.tooMany(formatNumber(file.lines.length))
        : undefined

  return (
    <Dialog
      title={t.title}
      width={560}
      onClose={isRunning ? undefined : close}
      actions={
        progress ? (
          isRunning ? (
            <Button onClick={() => stop.current?.abort()}>{t.stop}</Button>
          ) : (
            <>
              <Button kind={isLeaving ? 'danger' : 'default'} onClick={close}>
                {t.close}
              </Button>
              {file && isUnfinished && (
                <Button kind="primary" onClick={() => void start(file.lines, progress)}>
                  {t.goOn(formatNumber(progress.done + 1))}
                </Button>
              )}
            </>
          )
        ) : (
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            {file && !problem && (
              <Button kind="primary" onClick={() => void start(file.lines)}>
                {t.start(formatNumber(file.lines.length))}
              </Button>
            )}
          </>
        )
      }
    >
      <div className={form.form}>
        {!progress && (
          <>
            <p className={form.body}>{t.lead}</p>
            <p className={form.hint}>{t.excel}</p>
            <div className={css.file}>
              <TableFilePicker
                label={t.choose}
                charactersMax={charactersMax}
                onRead={(read) => setFile(read && { lines: read.text.trimEnd().split(/\r\n|\n|\r/) })}
              />
            </div>
            {problem && <p className={form.wrong}>{problem}</p>}
          </>
        )}
        {progress && <Outcome progress={progress} onSaved={() => setSaved(true)} />}
        {isLeaving && (
          <p role="alert" className={form.failed}>
            {t.leave}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** Asks before the tab is closed: secrets that are shown once would be lost. */
function useUnloadWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}

function Outcome({ progress, onSaved }: { progress: ImportProgress; onSaved: () => void }) {
  const t = useOperatorText().importing
  const [isPrinting, setPrinting] = useState(false)
  const { done, all, refused, secrets, state } = progress

  function saveSecrets(): void {
    saveSecretsFile(secrets, t.fileColumns)
    onSaved()
  }

  function saveRefused(): void {
    const rows = refused.map(({ line, reason }) => [String(line), t.reasons[reason]])
    saveFile('refused.csv', formatCsv([[t.fileColumns.line, t.fileColumns.reason], ...rows]), 'text/csv')
  }

  return (
    <>
      <progress className={css.progress} max={all} value={done} aria-label={t.title} />
      <p role="status">{t.running(formatNumber(done), formatNumber(all))}</p>
      {state === 'stopped' && <p>{t.stopped}</p>}
      {state === 'broken' && <p className={form.wrong}>{t.broken(formatNumber(done + 1))}</p>}
      {secrets.length > 0 && (
        <section className={css.part}>
          <h3>{t.created(formatNumber(secrets.length))}</h3>
          <p className={form.hint}>{t.once}</p>
          <div className={form.line}>
            <Button icon="download" disabled={state === 'running'} onClick={saveSecrets}>
              {t.download}
            </Button>
            <Button disabled={state === 'running'} onClick={() => setPrinting(true)}>
              {t.print}
            </Button>
          </div>
        </section>
      )}
      {refused.length > 0 && (
        <section className={css.part}>
          <h3>{t.refused(formatNumber(refused.length))}</h3>
          <ul className={css.refused}>
            {refused.slice(0, refusedShownMax).map(({ line, reason }) => (
              <li key={line}>
                {t.line(formatNumber(line))}: {t.reasons[reason]}
              </li>
            ))}
          </ul>
          <Button icon="download" onClick={saveRefused}>
            {t.refusedFile}
          </Button>
        </section>
      )}
      {isPrinting && (
        <LabelSheet
          machines={secrets}
          onPrinted={() => {
            setPrinting(false)
            onSaved()
          }}
        />
      )}
    </>
  )
}
