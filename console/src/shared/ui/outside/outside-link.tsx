import type { ReactNode } from 'react'
import { signInPath, toAddress } from '../../session/address.ts'
import { goOutside, type OutsidePath, wantedPath } from '../../session/outside-address.ts'

interface OutsideLinkProps {
  to: OutsidePath
  className?: string | undefined
  children: ReactNode
}

/** A link to another screen before the session; the wanted page is kept on the way. */
export function OutsideLink({ to, className, children }: OutsideLinkProps) {
  return (
    <a
      href={toAddress(signInPath(to, wantedPath()))}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        goOutside(to)
      }}
    >
      {children}
    </a>
  )
}
