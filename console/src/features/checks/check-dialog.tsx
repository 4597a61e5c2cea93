import { type AnswerOf, ApiError, type checks } from '@busbar/contract'
import type { DeviceDialog } from '../../entities/machine/device-dialog.ts'
import { joinUnit } from '../../shared/i18n/format-number.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { copyText } from '../../shared/ui/copy-text.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { Box, Grid, Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import css from './checks.module.css'
import { useChecksText } from './checks-text.ts'
import { groupFacts, sayFact } from './fact-words.ts'
import { useCheck } from './use-check.ts'

type Result = NonNullable<AnswerOf<typeof checks.getCheck>['result']>

/** Why a device cannot be reached, and who has to act; below it the parts of the check, as they come. */
export function CheckDialog({ wish, onClose }: { wish: DeviceDialog; onClose: () => void }) {
  const t = useChecksText()
  const { app } = useText()
  const { check, error, isRunning, again } = useCheck(wish.machineId)
  return (
    <Dialog
      title={t.title(wish.name)}
      width={560}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.close}</Button>
          <Button icon="refresh" busy={isRunning} onClick={again}>
            {t.again}
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <div role="status">
          {error ? (
            <Box surface="well" pad="12 14">
              <Text as="p" tone="crit" weight={550}>
                {error instanceof ApiError && error.http === 200 ? error.message : t.lost}
              </Text>
            </Box>
          ) : check?.result ? (
            <Cause result={check.result} />
          ) : (
            <Box surface="well" pad="12 14">
              <Text as="p" tone="soft">
                {t.running}
              </Text>
            </Box>
          )}
        </div>
        {check && (
          <Panel as="ul" aria-label={t.partsTitle}>
            {check.parts.map((part) => (
              <Part key={part.part} part={part} />
            ))}
          </Panel>
        )}
        {check?.result?.itText && <ItText text={check.result.itText} />}
      </Stack>
    </Dialog>
  )
}

function Cause({ result: { who, isSure, text } }: { result: Result }) {
  const t = useChecksText()
  const isWell = who === 'nobody'
  return (
    <Box surface="well" pad="12 14">
      <Row gap={8} align="start">
        <Icon name={isWell ? 'check' : 'warning'} size={18} />
        <Stack gap={6} grows>
          <Text as="p" size="14/20" weight={600} breaks>
            {text}
          </Text>
          {!isWell && (
            <Row as="p" gap="4 10" wraps tone="soft" size="12/18">
              <span>{`${t.acts}: ${t.who[who]}`}</span>
              {!isSure && <Tag>{t.likely}</Tag>}
            </Row>
          )}
        </Stack>
      </Row>
    </Box>
  )
}

const icons: Readonly<Record<checks.CheckPartState, IconName>> = {
  running: 'clock',
  ok: 'check',
  attention: 'warning',
  failed: 'alarm',
  unknown: 'minus',
}
const tones = { running: 'quiet', ok: 'soft', attention: 'warn', failed: 'crit', unknown: 'quiet' } as const

/** A part with its facts; one that does not work is open. */
function Part({ part: { part, state, ms, facts } }: { part: checks.CheckedPart }) {
  const t = useChecksText()
  const isOver = state !== 'running'
  return (
    <li className={css.part}>
      <details key={state} open={state === 'failed' || state === 'attention'}>
        <summary>
          <Row as="span" gap={10} tone={tones[state]}>
            <Icon name={icons[state]} size={16} />
            <Text grows tone="text" weight={550}>
              {t.parts[part]}
            </Text>
            <Text size={12}>{t.states[state]}</Text>
            {isOver && ms !== null && (
              <Text tone="quiet" size={12} numbers className={css.ms}>
                {joinUnit(formatNumber(ms), t.ms)}
              </Text>
            )}
          </Row>
        </summary>
        {isOver && facts.length === 0 && (
          <Text as="p" tone="quiet" size="12/18" className={css.facts}>
            {t.noFacts}
          </Text>
        )}
        {groupFacts(facts).map(([of, own]) => (
          <div key={of} className={css.facts}>
            {of && (
              <Text as="p" size="12/18" weight={550} breaks>
                {of}
              </Text>
            )}
            <Grid as="dl" columns={2} gap="0 10">
              {own.map((fact) => (
                <FactRow key={fact.fact} fact={fact} />
              ))}
            </Grid>
          </div>
        ))}
      </details>
    </li>
  )
}

function FactRow({ fact }: { fact: checks.CheckFactValue }) {
  const t = useChecksText()
  return (
    <>
      <Text as="dt" tone="quiet" size="12/18">
        {t.facts[fact.fact]}
      </Text>
      <Text as="dd" size="12/18" numbers breaks>
        {sayFact(fact, t)}
      </Text>
    </>
  )
}

/** Addresses and ports to send to the people of a customer's network. */
function ItText({ text }: { text: string }) {
  const t = useChecksText()

  return (
    <Panel as="div" className={css.part}>
      <details>
        <summary>
          <Text weight={550}>{t.it}</Text>
        </summary>
        <Stack gap={8} align="start" className={css.facts}>
          <Text as="p" size="12/18" breaks className={css.lines}>
            {text}
          </Text>
          <Button size="small" icon="copy" onClick={() => void copyText(text)}>
            {t.copy}
          </Button>
        </Stack>
      </details>
    </Panel>
  )
}
