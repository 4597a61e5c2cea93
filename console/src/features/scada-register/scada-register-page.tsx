import { ApiError, scada } from '@busbar/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { explainStep } from '../../entities/account/code-calls.ts'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { StepFrame } from '../../entities/account/step-frame.tsx'
import steps from '../../entities/account/steps.module.css'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/language.ts'
import { hasSession } from '../../shared/session/session.ts'
import { Button } from '../../shared/ui/button.tsx'
import fieldCss from '../../shared/ui/field.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import css from './scada-register-page.module.css'
import {
  fieldMax,
  findScadaErrors,
  type ScadaErrors,
  type ScadaField,
  type ScadaRequest,
  scadaFields,
} from './scada-request.ts'

const empty: ScadaRequest = { company: '', phone: '', email: '', area: '', project: '', purpose: 'develop' }

/** Requests the registration of a SCADA computer; a person answers by e-mail. */
export function ScadaRegisterPage() {
  const { joining: text } = useText()
  const t = text.scada
  const [typed, setTyped] = useState(empty)
  const [ticketNo, setTicketNo] = useState<string>()
  return (
    <LoginLayout isLong={ticketNo === undefined}>
      {ticketNo === undefined ? (
        <StepFrame title={t.title} lead={t.lead}>
          <RequestForm typed={typed} onChange={setTyped} onSent={setTicketNo} />
        </StepFrame>
      ) : (
        <StepFrame title={t.doneTitle} lead={t.doneBody(typed.email.trim())}>
          <dl className={css.ticket}>
            <dt>{t.ticket}</dt>
            <dd className="mono">{ticketNo}</dd>
          </dl>
          <Button
            size="large"
            onClick={() => {
              setTyped(empty)
              setTicketNo(undefined)
            }}
          >
            {t.another}
          </Button>
        </StepFrame>
      )}
      {!hasSession() && (
        <p className={steps.foot}>
          <OutsideLink to="/login">{text.toSignIn}</OutsideLink>
        </p>
      )}
    </LoginLayout>
  )
}

interface RequestFormProps {
  typed: ScadaRequest
  onChange: (typed: ScadaRequest) => void
  /** With the number the request has. */
  onSent: (ticketNo: string) => void
}

function RequestForm({ typed, onChange, onSent }: RequestFormProps) {
  const text = useText()
  const t = text.joining.scada
  const [errors, setErrors] = useState<ScadaErrors>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function show(found: ScadaErrors) {
    setErrors(found)
    const first = scadaFields.find((field) => found[field])
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setFailure(undefined)
    const found = findScadaErrors(typed, text)
    if (Object.keys(found).length) return show(found)
    setBusy(true)
    try {
      onSent((await call(scada.registerScada, typed, { silent: true })).ticketNo)
    } catch (error) {
      const field = error instanceof ApiError ? scadaFields.find((known) => known === error.field) : undefined
      if (field) show({ [field]: t.invalid })
      else setFailure(explainStep(error, text.joining))
      setBusy(false)
    }
  }

  const fieldOf = (field: ScadaField) => ({
    label: t[field],
    name: field,
    value: typed[field],
    error: errors[field],
    maxLength: fieldMax(field),
    onChange: (value: string) => {
      onChange({ ...typed, [field]: value })
      setErrors({ ...errors, [field]: undefined })
    },
  })
  return (
    <form ref={form} className={steps.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField {...fieldOf('company')} autoFocus autoComplete="organization" />
      <div className={css.pair}>
        <TextField {...fieldOf('phone')} type="tel" autoComplete="tel" />
        <TextField {...fieldOf('area')} placeholder={t.areaPlaceholder} />
      </div>
      <TextField
        {...fieldOf('email')}
        type="email"
        autoComplete="email"
        placeholder={text.login.emailPlaceholder}
      />
      <LongField {...fieldOf('project')} placeholder={t.projectPlaceholder} />
      <fieldset className={css.purposes}>
        <legend className={fieldCss.label}>{t.purpose}</legend>
        {scada.scadaPurposes.map((purpose) => (
          <label key={purpose} className={css.purpose}>
            <input
              type="radio"
              name="purpose"
              checked={typed.purpose === purpose}
              onChange={() => onChange({ ...typed, purpose })}
            />
            {t.purposes[purpose].name}
            <small>{t.purposes[purpose].hint}</small>
          </label>
        ))}
      </fieldset>
      <FailureNote text={failure} />
      <Button kind="primary" size="large" type="submit" busy={isBusy} className={steps.submit}>
        {t.submit}
      </Button>
    </form>
  )
}

interface LongFieldProps {
  label: string
  name: string
  value: string
  placeholder: string
  maxLength: number | undefined
  error: string | undefined
  onChange: (value: string) => void
}

/** A text of several lines. */
function LongField({ label, error, onChange, ...rest }: LongFieldProps) {
  const id = useId()
  return (
    <div className={fieldCss.field}>
      <label className={fieldCss.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        rows={4}
        className={css.long}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {error && (
        <p id={`${id}-error`} className={fieldCss.error}>
          <Icon name="warning" size={14} />
          {error}
        </p>
      )}
    </div>
  )
}
