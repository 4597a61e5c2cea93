import { useState } from 'react'
import { getLang } from '../../shared/i18n/language.ts'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useApiDocText } from './api-doc-text.ts'
import type { Operation } from './openapi.ts'
import { sampleOf } from './schema-fields.ts'
import { fillPath, type Outcome, sendRequest } from './send-request.ts'
import css from './try-it.module.css'

/** Sends a real call with the session of this browser, and shows the answer. */
export function TryIt({ operation }: { operation: Operation }) {
  const t = useApiDocText()
  const { method, parameters, body, isForm } = operation
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [text, setText] = useState(() => (body ? JSON.stringify(sampleOf(body), null, 2) : ''))
  const [outcome, setOutcome] = useState<Outcome>()
  const [busy, setBusy] = useState(false)
  if (isForm)
    return (
      <Text as="p" tone="quiet">
        {t.formOnly}
      </Text>
    )

  const bodyIsWrong = body !== undefined && !isJson(text)
  const isMissing = parameters.some(({ name, required }) => required && !values[name])

  async function send() {
    setBusy(true)
    setOutcome(
      await sendRequest({
        method,
        url: fillPath(operation, values),
        lang: getLang(),
        ...(body ? { body: text } : {}),
      }),
    )
    setBusy(false)
  }

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {parameters.length > 0 && (
        <div className={css.parameters}>
          {parameters.map(({ name, required }) => (
            <TextField
              key={name}
              label={required ? `${name} *` : name}
              autoComplete="off"
              spellCheck={false}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
        </div>
      )}
      {body && (
        <Stack as="label" gap={6} className={css.body}>
          <span>{t.body}</span>
          <textarea
            className="mono"
            rows={Math.min(16, Math.max(4, text.split('\n').length))}
            spellCheck={false}
            value={text}
            aria-invalid={bodyIsWrong || undefined}
            onChange={(event) => setText(event.target.value)}
          />
          {bodyIsWrong && (
            <Text as="small" tone="crit">
              {t.bodyWrong}
            </Text>
          )}
        </Stack>
      )}
      <Row gap="8 12" wraps>
        <Button type="submit" kind="primary" busy={busy} disabled={bodyIsWrong || isMissing}>
          {t.send}
        </Button>
        <Text tone="quiet">{method === 'GET' ? t.sendHint : t.changesHint}</Text>
      </Row>
      {outcome && <Answer outcome={outcome} />}
    </form>
  )
}

function Answer({ outcome }: { outcome: Outcome }) {
  const t = useApiDocText()
  if ('failed' in outcome) {
    return (
      <Text role="alert" as="p" tone="crit">
        {t.noAnswer}
      </Text>
    )
  }
  return (
    <Stack as="section" gap={6} shrinks tone="soft" className={css.answer} aria-live="polite">
      <p className="numbers">{t.took(outcome.status, outcome.tookMs)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled with the keyboard too */}
      <pre className="mono" tabIndex={0}>
        {outcome.text}
      </pre>
      {outcome.isCut && (
        <Text as="p" tone="quiet">
          {t.cut}
        </Text>
      )}
    </Stack>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
