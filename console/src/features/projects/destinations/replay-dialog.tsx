import { destinations } from '@busbar/contract'
import { useEffect, useState } from 'react'
import { projectKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { push } from '../../../shared/api/live.ts'
import { formatPercent, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { DateRangePicker } from '../../../shared/ui/date/date-range-picker.tsx'
import { listPresets, type TimeSpan } from '../../../shared/ui/date/presets.ts'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useDestinationsText } from './destinations-text.ts'
import css from './replay-dialog.module.css'

export interface ReplayDialogProps {
  projectId: number
  destination: destinations.Destination
  onClose: () => void
}

/** Sends rows of history to one destination again, first those of its gaps, and shows how far it is. */
export function ReplayDialog({ projectId, destination, onClose }: ReplayDialogProps) {
  const t = useDestinationsText()
  const { kit } = useText()
  const [now] = useState(() => Date.now())
  const [jobId, setJobId] = useState<string>()
  const form = useForm({
    initial: { span: (destination.gap ?? null) as TimeSpan | null },
    check: ({ span }) => ({ span: span ? undefined : t.replaySpanMissing }),
    errorFields: { REPLAY_SPAN: 'span' },
    send: async ({ span }) => {
      const request = { id: projectId, targetId: destination.targetId, from: 0, to: 0, ...span }
      return call(destinations.startReplay, request)
    },
    touched: [projectKey(projectId)],
    onSent: (answer) => setJobId(answer.jobId),
  })
  const title = t.replayTitle(destination.name)
  if (jobId !== undefined) return <Progress title={title} jobId={jobId} onClose={onClose} />
  const { name, ...span } = form.field('span')
  return (
    <FormDialog title={title} submit={t.replayStart} form={form} onClose={onClose}>
      <Text as="p" tone="soft" pretty>
        {t.replayLead}
      </Text>
      <div data-field={name}>
        <DateRangePicker
          label={t.replaySpan}
          size="large"
          max={now}
          presets={listPresets(kit, ['lastHour', 'last24Hours', 'yesterday'])}
          {...span}
        />
      </div>
    </FormDialog>
  )
}

interface ProgressProps {
  title: string
  jobId: string
  onClose: () => void
}

function Progress({ title, jobId, onClose }: ProgressProps) {
  const t = useDestinationsText()
  const { app } = useText()
  const [{ isOver, hasFailed, progress }, setState] = useState({
    isOver: false,
    hasFailed: false,
    progress: 0,
  })
  useEffect(
    () =>
      push.on('jobProgress', (told) => {
        if (told.jobId === jobId) setState(told)
      }),
    [jobId],
  )
  return (
    <Dialog
      title={title}
      width={440}
      onClose={onClose}
      actions={
        <Button kind={isOver ? 'primary' : 'default'} onClick={onClose}>
          {app.close}
        </Button>
      }
    >
      <Stack gap={8} role="status">
        <Text as="p" numbers>
          {hasFailed
            ? t.replayFailed
            : isOver
              ? t.replayDone
              : `${t.replayRunning} ${formatPercent(progress)}`}
        </Text>
        {!isOver && (
          <>
            <progress className={css.bar} value={progress} aria-label={t.replayRunning} />
            <Text as="p" tone="quiet">
              {t.replayNote}
            </Text>
          </>
        )}
      </Stack>
    </Dialog>
  )
}
