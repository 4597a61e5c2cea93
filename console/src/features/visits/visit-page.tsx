import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMachineTypes } from '../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { type EnterStep, enterSteps } from '../../entities/visit/entering.ts'
import { listedMachineQuery } from '../../entities/visit/visit-queries.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { EnterFailureView } from './enter-failure-view.tsx'
import { EnterQuestion } from './enter-question.tsx'
import { useEntering } from './use-entering.ts'
import css from './visit-page.module.css'

/** The way into a machine, in a new tab: it becomes the machine's page, or explains why not. */
export function VisitPage(): ReactNode {
  const { machineId } = useParams({ from: '/bare/visit/$machineId' })
  const { target } = useSearch({ from: '/bare/visit/$machineId' })
  const t = useText().visits.page
  const lang = useLang()
  const machine = useQuery(listedMachineQuery(machineId, lang))
  const types = useMachineTypes()
  const { type = '', code = '' } = machine.data ?? {}
  const look = machine.isPending ? undefined : types.look({ type, code })
  const { entering, waits, result, retry, press, enterBy } = useEntering(machineId, target)
  const name = machine.data?.name ?? t.device
  return (
    <Stack pad={16} align="center" className={css.page}>
      <Row as="header" gap={10} tone="soft" weight={600} className={css.brand}>
        <BrandName markSize={22} />
      </Row>
      <main className={css.card}>
        <MachinePicture look={look} size="page" />
        <Row as="p" below={16} gap={8} align="baseline" size="16/22" className={css.device}>
          {machine.isPending ? <Skeleton width={160} height={16} /> : <b className="cut">{name}</b>}
          {target && (
            <Text tone="quiet" size={12} mono>
              {target}
            </Text>
          )}
        </Row>
        {entering.kind === 'under way' && (
          <>
            <h1 className="sr-only">{t.title(name)}</h1>
            <Steps now={entering.step} />
          </>
        )}
        {entering.kind === 'asked' && (
          <EnterQuestion
            machineId={machineId}
            code={machine.data?.code}
            target={target}
            mode={entering.mode}
            onEnter={press}
          />
        )}
        {entering.kind === 'failed' && (
          <EnterFailureView
            machineId={machineId}
            machine={machine.data}
            target={target}
            failure={entering.failure}
            waits={waits}
            result={result}
            onRetry={retry}
            onApplied={press}
            onProved={enterBy}
          />
        )}
      </main>
    </Stack>
  )
}

function Steps({ now }: { now: EnterStep }) {
  const t = useText().visits.page
  const place = enterSteps.indexOf(now)
  return (
    <Stack as="ol" gap={4} data-subject="" aria-live="polite">
      {enterSteps.map((step, index) => {
        const state = index < place ? 'done' : index === place ? 'now' : 'next'
        return (
          <li
            key={step}
            className={classes(css.step, css[state])}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <span className={css.mark}>{state === 'done' && <Icon name="check" size={14} />}</span>
            {t.steps[step]}
            <span className="sr-only">{t.stepStates[state]}</span>
          </li>
        )
      })}
    </Stack>
  )
}
