import { type Route, rulesOf } from '@busbar/contract'
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
  /** The call whose request the fields are: its rules are theirs. */
  readonly route: Route
  readonly initial: V
  /** The request's name of a field, where it is another. */
  readonly names?: Partial<Record<Field<V>, string>>
  /** Own words for a broken rule of a field. */
  readonly words?: Partial<Record<Field<V>, RuleWords>>
  /** Rules beside those of the contract: about several fields, or only in this form. */
  readonly check?: (values: V) => Problems<V>
  readonly send: (values: V) => Promise<Answer>
  /** The field that an error code of the platform is about. */
  readonly errorFields?: Readonly<Record<string, Field<V>>>
  /** Said when it was accepted. */
  readonly done?: string | undefined
  /** The queries that are asked again after the call, whatever its outcome. */
  readonly touched?: readonly QueryKey[]
  readonly onSent?: (answer: Answer) => void
  readonly onRefused?: (error: unknown, refusal: Refusal<V>) => void
}

/** The properties that a form gives a text field. */
export interface TextFieldState {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}

export interface Form<V extends Values> {
  readonly values: V
  readonly problems: Problems<V>
  /** A refusal of the platform that concerns no field. */
  readonly general: string | undefined
  /** Something differs from what the form began with. */
  readonly isDirty: boolean
  readonly isSending: boolean
  /** A changed field is no longer wrong. */
  readonly set: <F extends Field<V>>(field: F, value: V[F]) => void
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

/**
 * A form: its values, the rules of the call they are for, what is wrong beside each field, and its sending. Nothing typed
 * is lost by a refusal.
 */
export function useForm<V extends Values, Answer = unknown>(options: FormOptions<V, Answer>): Form<V> {
  const { route, initial, names, words: own, check, send, errorFields, done, touched = [] } = options
  const text = useText()
  const id = useId()
  const element = useRef<HTMLFormElement>(null)
  const client = useQueryClient()
  // What it began with: a parent that draws anew changes nothing of it.
  const [first] = useState(initial)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Problems<V>>({})
  const [general, setGeneral] = useState<string>()
  const rules = useMemo(() => rulesOf(route), [route])
  const terms = { rules, names, words: own }

  const { mutate, isPending } = useMutation({
    mutationFn: () => send(values),
    onSuccess: (answer) => {
      if (done !== undefined) showToast(done)
      options.onSent?.(answer)
    },
    onError: (error) => {
      const refusal = readRefusal(error, values, { names, errorFields, failed: text.form.failed }, getLang())
      setGeneral(refusal.general)
      show(refusal.problems)
      options.onRefused?.(error, refusal)
    },
    onSettled: () => Promise.all(touched.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })

  /** Shows problems, and puts the focus on the first field that has one. */
  function show(next: Problems<V>) {
    setProblems(next)
    for (const field of element.current?.querySelectorAll<HTMLElement>('[name]') ?? [])
      if (next[field.getAttribute('name') ?? ''] !== undefined) return field.focus()
  }

  function submit() {
    if (isPending) return
    setGeneral(undefined)
    const found = { ...check?.(values), ...findProblems(values, terms, text) }
    show(found)
    if (Object.keys(found).length === 0) mutate()
  }

  function set<F extends Field<V>>(field: F, value: V[F]) {
    setValues((before) => ({ ...before, [field]: value }))
    setProblems(({ [field]: _, ...others }) => others as Problems<V>)
  }

  return {
    values,
    problems,
    general,
    isDirty: Object.keys(values).some((field) => !isSameValue(values[field], first[field])),
    isSending: isPending,
    set,
    text: (field) => ({
      name: field,
      value: String(values[field] ?? ''),
      error: problems[field],
      onChange: (value) => set(field, value as V[typeof field]),
      // What is not filled in yet is asked for when the form is sent, not while a person looks around.
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
