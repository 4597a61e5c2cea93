import { Icon } from '../../../shared/ui/icon.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'

interface DisclosureProps {
  label: string
  /** For screen readers, where the label alone does not tell what is opened. */
  name?: string
  isOpen: boolean
  /** The id of what is opened. */
  controls: string
  onToggle: () => void
}

/** Opens and closes what stands below it. */
export function Disclosure({ label, name, isOpen, controls, onToggle }: DisclosureProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      aria-label={name}
      onClick={onToggle}
    >
      <Row as="span" inline gap={4} tone="soft">
        {label}
        <Icon name={isOpen ? 'chevronUp' : 'chevronDown'} size={12} />
      </Row>
    </button>
  )
}
