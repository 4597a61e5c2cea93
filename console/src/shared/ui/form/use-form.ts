import { type ApiError, type Route, rulesOf } from '@busbar/contract'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useId, useMemo, useRef, useState } from 'react'
import { getLang, useText } from '../../i18n/index.ts'
import { showToast } from '../toast/toast-store.ts'
import {
  findProblem,
  findProblems,
  isSameValue,
  type Problems,
  type Refusal,
  type RuleWords,
  readRefusal,
  type Values,
} from './problems.ts'

type Field<V> = keyof V & string

interface FormOptions<V extends Values, Answer> {
  /** The call whose request the fields form: its rules apply to them. */
  readonly route?: Route | ((values: V) => Route)
  readonly initial: V
  /** A form that stays after it was sent: it shows other initial values as long as nothing in it was changed. */
  readonly follows?: boolean
  /** The request's name of a field, if it differs. */
  readonly names?: Partial<Record<Field<V>, string>>
  /** Own words for a broken rule of a field. */
  readonly words?: Partial<Record<Field<V>, RuleWords>>
  /** Fields that must be filled in here, although the call can do without them. */
  readonly required?: readonly Field<V>[]
  /** The visible fields, if the form hides some depending on a choice: only these are checked by the contract. */
  readonly shown?: (values: V) => readonly Field<V>[]
  /** Rules beside those of the contract: about several fields, or only in this form. */
  readonly check?: (values: V) => { readonly [F in Field<V>]?: string | undefined }
  readonly send: (values: V) => Promise<Answer>
  /** The field to which an error code of the platform, or a field of the request, belongs. */
  readonly errorFields?: Readonly<Record<string, Field<V>>>
  /** The form's own words for a refusal; undefined: those of the platform. */
  readonly explain?: (error: ApiError, values: V) => string | undefined
  /** Shown if the call failed for a reason other than a rule of the platform. */
  readonly failed?: string
  /** Shown when it was accepted. */
  readonly done?: string | ((answer: Answer, values: V) => string | undefined) | undefined
  /** The queries that are reloaded after the call, whatever its outcome. */
  readonly touched?: readonly QueryKey[]
  /** The form is busy until this is over. */
  readonly onSent?: (answer: Answer, values: V) => unknown
  readonly onRefused?: (error: unknown, refusal: Refusal<V>) => unknown
}

/** The properties that a form gives a field. Its element has the name, or `data-field` where it holds several parts. */
export interface FieldState<T> {
  readonly name: string
  readonly value: T
  readonly error: string | undefined
  readonly onChange: (value: T) => void
}

/** The properties that a form gives a text field. */
export interface TextFieldState extends FieldState<string> {
  readonly onBlur: () => void
}

export interface Form<V extends Values> {
  readonly values: V
  readonly problems: Problems<V>
  /** A refusal of the platform that concerns no field. */
  readonly general: string | undefined
  /** A value differs from the initial one. */
  readonly isDirty: boolean
  readonly isSending: boolean
  /** A changed field loses its error. */
  readonly set: <F extends Field<V>>(field: F, value: V[F]) => void
  /** For a field whose value is not a text. */
  readonly field: <F extends Field<V>>(field: F) => FieldState<V[F]>
  /** For a field that holds a text. */
  readonly text: (field: Field<V>) => TextFieldState
  readonly submit: () => void
  /** Spread on the form's element. */
  readonly props: {
    readonly id: string
    readonly ref: RefObject<HTMLFormElement | null>
    readonly noValidate: true
    readonly onSubmit: (event: FormEvent) => void
  }
}

const noRules = {}
/** The part of a field that takes the focus. */
const focusable = 'input, button:not([tabindex="-1"]), [tabindex="0"]'

/**
 * A form: its values, the rules of its call, the error beside each field, and its sending. A refusal keeps
 * everything that was typed.
 */
export function useForm<V extends Values, Answer = unknown>(options: FormOptions<V, Answer>): Form<V> {
  const { initial, follows = false, names, words: own, required, shown, check, send, errorFields } = options
  const { explain, done, touched = [] } = options
  const text = useText()
  const id = useId()
  const element = useRef<HTMLFormElement>(null)
  const client = useQueryClient()
  // The initial values: a parent that renders again does not change them.
  const [first, setFirst] = useState(initial)
  const [seen, setSeen] = useState(initial)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Problems<V>>({})
  const [general, setGeneral] = useState<string>()
  const route = typeof options.route === 'function' ? options.route(values) : options.route
  const rules = useMemo(() => (route ? rulesOf(route) : noRules), [route])
  const terms = { rules, names, words: own, required }
  const isDirty = !isSame(values, first)

  if (follows && !isSame(initial, seen)) {
    setSeen(initial)
    setFirst(initial)
    if (!isDirty) setValues(initial)
  }

  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess: (answer, sent) => {
      if (follows) setFirst(sent)
      const said = typeof done === 'function' ? done(answer, sent) : done
      if (said !== undefined) showToast(said)
      return options.onSent?.(answer, sent)
    },
    onError: (error, sent) => {
      const failed = options.failed ?? text.form.failed
      const refusal = readRefusal(error, sent, { names, errorFields, explain, failed }, getLang())
      setGeneral(refusal.general)
      show(refusal.problems)
      options.onRefused?.(error, refusal)
    },
    onSettled: () => Promise.all(touched.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })

  /**
   * Shows problems, and puts the focus on the first field that has one; under the form if no such field is
   * shown.
   */
  function show(next: Problems<V>) {
    setProblems(next)
    for (const part of element.current?.querySelectorAll<HTMLElement>('[name], [data-field]') ?? []) {
      const { field } = part.dataset
      if (next[field ?? part.getAttribute('name') ?? ''] === undefined) continue
      const target = field === undefined ? part : part.querySelector<HTMLElement>(focusable)
      return target?.focus()
    }
    setGeneral((before) => before ?? Object.values<string | undefined>(next)[0])
  }

  function submit() {
    if (isPending) return
    setGeneral(undefined)
    const found = findProblems(shownOf(values, shown), terms, text) as Record<string, string>
    for (const [field, problem] of Object.entries<string | undefined>(check?.(values) ?? {}))
      if (problem !== undefined) found[field] = problem
    show(found as Problems<V>)
    if (Object.keys(found).length === 0) mutate(values)
  }

  function set<F extends Field<V>>(field: F, value: V[F]) {
    setValues((before) => ({ ...before, [field]: value }))
    setProblems(({ [field]: _, ...others }) => others as Problems<V>)
  }

  return {
    values,
    problems,
    general,
    isDirty,
    isSending: isPending,
    set,
    field: (field) => ({
      name: field,
      value: values[field],
      error: problems[field],
      onChange: (value) => set(field, value),
    }),
    text: (field) => ({
      name: field,
      value: String(values[field] ?? ''),
      error: problems[field],
      onChange: (value) => set(field, value as V[typeof field]),
      // An empty required field is reported when the form is sent, not while a person looks around.
      onBlur: () => {
        const value = values[field]
        if (value === '' || isSameValue(value, first[field])) return
        const problem = check?.(values)[field] ?? findProblem(field, value, terms, text)
        if (problem !== undefined) setProblems((before) => ({ ...before, [field]: problem }))
      },
    }),
    submit,
    props: {
      id,
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        submit()
      },
    },
  }
}

const isSame = <V extends Values>(a: V, b: V) =>
  Object.keys(a).every((field) => isSameValue(a[field], b[field]))

function shownOf<V extends Values>(values: V, shown?: (values: V) => readonly Field<V>[]): V {
  if (!shown) return values
  return Object.fromEntries(shown(values).map((field) => [field, values[field]])) as V
}
