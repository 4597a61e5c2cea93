import type { agentConfig } from '@busbar/contract'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Row } from '../../shared/ui/layout/layout.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { useAgentConfigText } from './agent-config-text.ts'
import css from './drivers.module.css'

/** The agent rolls back after this time. */
const trialMs = 60_000

/** The progress of a change that the agent is trying. */
export function TrialProgress({ trial }: { trial: NonNullable<agentConfig.AgentConfig['trial']> }) {
  const t = useAgentConfigText().trial
  const now = useNow(1_000)
  const leftS = Math.min(60, Math.max(0, Math.round((trial.startedAt + trialMs - now) / 1_000)))
  const steps = [
    { text: t.sent, isDone: true },
    { text: t.told, isDone: trial.isTold },
    {
      text: trial.waitsFor.length > 0 ? t.waits(trial.waitsFor.join(', ')) : t.back,
      isDone: trial.waitsFor.length === 0,
    },
  ]
  return (
    <Box surface="plain" pad="12 16" below={14} className={css.trial} role="status">
      <Row as="p" gap={8} weight={600}>
        {t.title(trial.revision)}
      </Row>
      <Row as="ol" gap="4 16" align="stretch" wraps className={css.steps}>
        {steps.map(({ text, isDone }) => (
          <li key={text} data-done={isDone || undefined}>
            {isDone ? <Icon name="check" size={14} /> : <span className={css.wait} />}
            {text}
          </li>
        ))}
      </Row>
      <p className={css.minor}>{t.left(leftS)}</p>
    </Box>
  )
}
