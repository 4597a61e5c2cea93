import { type ReactNode, useEffect, useRef } from 'react'
import css from './steps.module.css'

interface StepFrameProps {
  title: string
  lead?: string | undefined
  children: ReactNode
}

/** The words above one step of several; screen readers announce the next one. */
export function StepFrame({ title, lead, children }: StepFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(title)
  useEffect(() => {
    // A field that takes the focus itself is better.
    if (first.current !== title && document.activeElement === document.body) heading.current?.focus()
    first.current = title
  }, [title])
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={css.title} data-subject="">
        {title}
      </h1>
      {lead && <p className={css.lead}>{lead}</p>}
      {children}
    </>
  )
}
