import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { useSpace } from '../../shared/session/space.ts'

interface HomeLinkProps {
  className: string | undefined
  children: ReactNode
}

/** The brand in the header; it links to the devices of the current space. */
export function HomeLink({ className, children }: HomeLinkProps) {
  const t = useText().app.header
  const eid = useSpace()?.eid
  return (
    <Link
      {...(eid === undefined
        ? { to: '/index/' as const }
        : { to: '/device/' as const, search: { type: 1 as const, eid } })}
      className={className}
    >
      {children}
      <span className="sr-only">{t.home}</span>
    </Link>
  )
}
