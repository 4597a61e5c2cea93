import { ApiError, type Lang } from '@busbar/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { refusalWords } from '../../../shared/api/refusal-words.ts'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from './bulk-frame.module.css'
import { type BulkStep, runBulk } from './run-bulk.ts'

/** A device that left the list before its turn. */
export class NotListed extends Error {}

interface BulkFrameProps {
  title: string
  /** The words of the button that begins. */
  action: string
  isDanger?: boolean
  /** Something is chosen, and what it needs is loaded. */
  isReady?: boolean
  machines: readonly Machine[]
  /** The calls for these devices: all of them, or those that are tried again. */
  plan: (machines: readonly Machine[]) => readonly BulkStep[] | Promise<readonly BulkStep[]>
  done: (count: string) => string
  /** The text for a refusal, if the act has its own words. */
  explain?: (error: ApiError) => string | undefined
  /** Reloads the data shown. */
  refresh: () => Promise<unknown>
  select: (machineIds: ReadonlySet<RowKey>) => void
  onClose: () => void
  /** The questions before the act begins. */
  children: ReactNode
}

interface Outcome {
  readonly done: number
  /** The reasons, by device. */
  readonly left: readonly { readonly machine: Machine; readonly reason: string }[]
}

/** An act on many devices: asks, shows how far it is, and says of each device that is not done why not. */
export function BulkFrame(props: BulkFrameProps) {
  const { title, action, isDanger = false, isReady = true, machines, plan, refresh, select, onClose } = props
  const { app, machineEdit } = useText()
  const t = machineEdit.bulk
  const lang = useLang()
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const [outcome, setOutcome] = useState<Outcome>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  function explain(error: unknown): string {
    if (error instanceof NotListed) return t.notListed
    if (!(error instanceof ApiError)) return t.noAnswer
    return props.explain?.(error) ?? reasonOf(error, lang, t.noAnswer)
  }

  async function start(wanted: readonly Machine[]) {
    stop.current = new AbortController()
    const { signal } = stop.current
    setOutcome(undefined)
    setProgress({ done: 0, all: wanted.length })
    let reasonFor: (machine: Machine) => string | undefined
    try {
      const steps = await plan(wanted)
      setProgress({ done: 0, all: steps.length })
      const { failed, notStarted } = await runBulk(
        steps,
        (done) => setProgress({ done, all: steps.length }),
        signal,
      )
      reasonFor = ({ id }) =>
        failed.has(id) ? explain(failed.get(id)) : notStarted.has(id) ? t.notStarted : undefined
    } catch (error) {
      // No step has started.
      reasonFor = () => explain(error)
    }
    const left = wanted.flatMap((machine) => {
      const reason = reasonFor(machine)
      return reason === undefined ? [] : [{ machine, reason }]
    })
    select(new Set(left.map(({ machine }) => machine.id)))
    await refresh().catch(() => undefined)
    setProgress(undefined)
    if (left.length > 0) return setOutcome({ done: wanted.length - left.length, left })
    showToast(props.done(formatNumber(wanted.length)))
    onClose()
  }

  if (progress)
    return (
      <Dialog title={title} actions={<Button onClick={() => stop.current.abort()}>{t.stop}</Button>}>
        <Stack gap={10}>
          <p role="status" className="numbers">
            {t.progress(formatNumber(progress.done), formatNumber(progress.all))}
          </p>
          <progress className={css.progress} value={progress.done} max={progress.all} aria-label={title} />
        </Stack>
      </Dialog>
    )
  if (outcome)
    return (
      <Dialog
        title={title}
        width={520}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{app.close}</Button>
            <Button kind="primary" onClick={() => void start(outcome.left.map(({ machine }) => machine))}>
              {t.retry(formatNumber(outcome.left.length))}
            </Button>
          </>
        }
      >
        <Stack gap={10}>
          <p role="alert">{t.partly(formatNumber(outcome.done), formatNumber(outcome.left.length))}</p>
          <ul className={css.list} aria-label={t.failures}>
            {outcome.left.map(({ machine, reason }) => (
              <li key={machine.id}>
                <Text weight={550}>{machine.name}</Text>
                <Text tone="crit" size="12/18">
                  {reason}
                </Text>
              </li>
            ))}
          </ul>
        </Stack>
      </Dialog>
    )
  return (
    <Dialog
      title={title}
      width={480}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            disabled={!isReady}
            onClick={() => void start(machines)}
          >
            {action}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  )
}

/** A refusal in words; `otherwise` if no answer came. */
function reasonOf(error: ApiError, lang: Lang, otherwise: string): string {
  return refusalWords(error, lang) ?? (error.http > 0 ? error.message : otherwise)
}
