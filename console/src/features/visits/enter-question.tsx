import type { visits } from '@busbar/contract'
import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import css from './visit-page.module.css'

interface EnterQuestionProps {
  machineId: number
  /** Undefined until it is known. */
  code: string | undefined
  target: string | undefined
  /** The mode of the visit to come. */
  mode: visits.VisitMode
  onEnter: () => void
}

/** Explains to a person who followed a link or a bookmark what entering means, and waits for their press. */
export function EnterQuestion({ machineId, code, target, mode, onEnter }: EnterQuestionProps) {
  const { enter, page: t, targets } = useText().visits
  const known = targets.names[target ?? 'page']
  return (
    <Stack gap={10} data-subject="">
      <Row as="h1" gap={8} align="start" size="16/22" className={css.title}>
        {t.question.title}
      </Row>
      <Text as="p" tone="soft" pretty>
        {t.question.means[mode]}
      </Text>
      <dl className={css.facts}>
        {code && (
          <div>
            <dt>{t.question.code}</dt>
            <dd className="mono">{code}</dd>
          </div>
        )}
        <div>
          <dt>{t.question.opens}</dt>
          <dd>
            {known ?? <span className="mono">{target}</span>} <span className="mono">/</span>
          </dd>
        </div>
      </dl>
      <Row above={8} gap={16}>
        <Button kind="primary" onClick={onEnter}>
          {enter}
        </Button>
        <Link to="/index/" search={{ machine: machineId }}>
          {t.toList}
        </Link>
      </Row>
    </Stack>
  )
}
