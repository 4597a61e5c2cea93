import { machines } from '@busbar/contract'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { type Text, useText } from '../../shared/i18n/index.ts'
import { toAddress } from '../../shared/session/address.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import type { Machine as ListedMachine } from '../machine/machine.ts'
import css from './keys-link.module.css'

type Machine = Pick<ListedMachine, 'id' | 'name' | 'level'>

const isKey = (machine: Machine) => machine.level >= machines.limitAuthority.bkey

/** Follows the link inside this page, unless another tab or window is requested, which the browser opens. */
export function followInside(event: MouseEvent, follow: () => void): void {
  event.stopPropagation()
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  follow()
}

/** Leads a key of the machine to its administration; renders nothing for other people. */
export function KeysLink({ machine }: { machine: Machine }) {
  const t = useText().access
  const navigate = useNavigate()
  if (!isKey(machine)) return null
  const machineId = machine.id
  const follow = () => void navigate({ to: '/administrateCenter', search: { machineId } })
  return (
    <LinkButton href={keysAddresses()(machineId)} onClick={(event) => followInside(event, follow)}>
      <Icon name="key" />
      {t.open}
    </LinkButton>
  )
}

/**
 * The addresses of machines' key administration; for thousands of rows, the part around the id is computed
 * once.
 */
export function keysAddresses(): (machineId: number) => string {
  const pattern = toAddress('/administrateCenter?machineId=machineId')
  return (machineId) => pattern.replace(/machineId(?!=|%3D)/, String(machineId))
}

interface KeysGlyphProps {
  machine: Machine
  tabIndex: number
  t: Text['access']
  /** From `keysAddresses`. */
  addressOf: (machineId: number) => string
  onFollow: (machineId: number) => void
}

/** The same in a row. One element with precomputed props, because every row has one. */
export function KeysGlyph({ machine, tabIndex, t, addressOf, onFollow }: KeysGlyphProps) {
  if (!isKey(machine)) return null
  return (
    // biome-ignore lint/a11y/useAnchorContent: its label names it; the picture is the style's
    <a
      href={addressOf(machine.id)}
      className={css.glyph}
      aria-label={t.openOf(machine.name)}
      data-tip={t.open}
      tabIndex={tabIndex}
      onClick={(event) => followInside(event, () => onFollow(machine.id))}
    />
  )
}
