import { type AnswerOf, ApiError, destinations } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { refusalWords } from '../../../shared/api/refusal-words.ts'
import { formatDate, formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { explainFault } from './destination-look.ts'
import { useDestinationsText } from './destinations-text.ts'
import { Exchange } from './exchange.tsx'
import css from './test-dialog.module.css'

type TestResult = AnswerOf<typeof destinations.testDestination>

interface TestDialogProps {
  destination: destinations.Destination
  onClose: () => void
}

/** Sends one row to a destination, and shows the request, the answer, and what is wrong with it. */
export function TestDialog({ destination, onClose }: TestDialogProps) {
  const t = useDestinationsText()
  const lang = useLang()
  const { app } = useText()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => call(destinations.testDestination, { id: destination.targetId }, { noNotice: true }),
  })
  return (
    <Dialog
      title={t.testTitle(destination.name)}
      width={720}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.close}</Button>
          <Button kind="primary" autoFocus busy={isPending} onClick={() => mutate()}>
            {data ? t.testAgain : t.testSend}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <Text as="p" tone="soft" pretty>
          {t.testLead}
        </Text>
        {data && !isPending && <Result result={data} />}
        <FormRefusal
          text={error ? (error instanceof ApiError && refusalWords(error, lang)) || t.testFailed : undefined}
        />
      </Stack>
    </Dialog>
  )
}

function Result({ result }: { result: TestResult }) {
  const t = useDestinationsText()
  const { ok, fault, status, detail, isExample, request, response, address, certificate, connectMs } = result
  return (
    <>
      <Stack gap={4} role="status">
        <Row gap={8} weight={600} tone={ok ? 'text' : 'crit'}>
          <Icon name={ok ? 'check' : 'warning'} size={16} />
          {fault ? explainFault(fault, status, t) : t.testOk(status === null ? undefined : t.status(status))}
        </Row>
        {fault && <p>{t.faults[fault].remedy}</p>}
        {detail !== '' && (
          <Text as="p" mono size={12} tone="quiet" breaks>
            {detail}
          </Text>
        )}
        {isExample && (
          <Text as="p" tone="quiet">
            {t.testExample}
          </Text>
        )}
      </Stack>
      <Timing result={result} />
      {address !== null && (
        <Text as="p" tone="soft" breaks>
          {connectMs === null ? t.url : t.address} <Text mono>{address}</Text>
        </Text>
      )}
      {certificate && (
        <Stack gap={2} tone="soft">
          <p>
            {t.certificate} {t.certificateOf(certificate.subject, certificate.issuer)},{' '}
            {t.validTo(formatDate(certificate.validTo))}
          </p>
          <Text mono size={12} tone="quiet" breaks>
            {certificate.fingerprint}
          </Text>
        </Stack>
      )}
      <Exchange title={t.request} text={request} />
      <Exchange title={t.response} text={response} none={t.noResponse} />
    </>
  )
}

/** The parts of the time as far as it came, each as wide as it was long. */
function Timing({ result }: { result: TestResult }) {
  const t = useDestinationsText()
  const { ms, lookupMs, connectMs, tlsMs, signInMs, answerMs } = result
  const phases = { lookup: lookupMs, connect: connectMs, tls: tlsMs, signIn: signInMs, answer: answerMs }
  const taken = (Object.keys(phases) as (keyof typeof phases)[]).flatMap((name) => {
    const lasts = phases[name]
    return lasts === null ? [] : [{ name, lasts }]
  })
  return (
    <Stack gap={6}>
      <div className={css.bar} aria-hidden="true">
        {taken.map(({ name, lasts }) => (
          <span key={name} data-phase={name} style={{ flexGrow: lasts }} />
        ))}
      </div>
      <Row as="ul" gap="4 16" wraps size={12} tone="soft" numbers aria-label={t.timing}>
        {taken.map(({ name, lasts }) => (
          <Row as="li" key={name} gap={6}>
            <span className={css.key} data-phase={name} />
            {t.phases[name]} {t.ms(formatNumber(lasts))}
          </Row>
        ))}
        <li>
          {t.total} {t.ms(formatNumber(ms))}
        </li>
      </Row>
    </Stack>
  )
}
