import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import { freeName, type Tag, textOf } from './draft.ts'
import css from './drivers.module.css'
import { TagFactor } from './tag-factor.tsx'

interface TagTableProps {
  tags: readonly Tag[]
  /** The group of variables that are added. */
  group: string
  /** The field in which the driver's variables have their place. */
  place: 'address' | 'nodeId'
  /** Whether the device may tell the factor of a variable in another register. */
  hasFactorRegisters: boolean
  isLocked: boolean
  onChange: (tags: readonly Tag[]) => void
}

/** The variables of a connection: their names, units, factors and dead bands are edited in place. */
export function TagTable(props: TagTableProps) {
  const { tags, group, place, hasFactorRegisters, isLocked, onChange } = props
  const t = useAgentConfigText().tags
  const add = (
    <Button
      size="small"
      icon="plus"
      disabled={isLocked}
      onClick={() => onChange([...tags, { name: freeName('', group, tags), group, [place]: '' }])}
    >
      {t.add}
    </Button>
  )
  if (tags.length === 0) {
    return (
      <Row gap="8 12" wraps>
        <Text as="p" tone="quiet" size="12/18" breaks>
          {t.none}
        </Text>
        {add}
      </Row>
    )
  }
  const set = (index: number, fields: Record<string, unknown>) =>
    onChange(tags.map((tag, at) => (at === index ? cleaned({ ...tag, ...fields }) : tag)))
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th>{t.name}</th>
            <th>{t.address}</th>
            <th>{t.type}</th>
            <th>{t.unit}</th>
            <th>{t.factor}</th>
            <th title={t.deadbandHint}>{t.deadband}</th>
            <th>
              <span className="sr-only">{t.title}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tags.map((tag, index) => {
            const name = textOf(tag, 'name')
            const address = textOf(tag, place)
            const order = textOf(tag, 'wordOrder')
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a variable keeps its place while it is edited
              <tr key={index}>
                <td>
                  <input
                    className={css.cell}
                    aria-label={`${t.name} ${index + 1}`}
                    value={name}
                    maxLength={64}
                    disabled={isLocked}
                    onChange={(event) => set(index, { name: event.target.value })}
                  />
                </td>
                <td>
                  <Row as="span" gap={6} className={css.place}>
                    <input
                      className={css.code}
                      aria-label={`${t.address} ${name}`}
                      title={address}
                      value={address}
                      maxLength={1_024}
                      disabled={isLocked}
                      onChange={(event) => set(index, { [place]: event.target.value })}
                    />
                    {order && <span className={css.minor}>{order}</span>}
                  </Row>
                </td>
                <td className={css.minor}>{textOf(tag, 'type') || t.auto}</td>
                <td>
                  <input
                    className={css.cell}
                    aria-label={`${t.unit} ${name}`}
                    value={textOf(tag, 'unit')}
                    maxLength={32}
                    size={6}
                    disabled={isLocked}
                    onChange={(event) => set(index, { unit: event.target.value })}
                  />
                </td>
                <td>
                  <TagFactor
                    tag={tag}
                    hasRegister={hasFactorRegisters}
                    isLocked={isLocked}
                    onChange={(fields) => set(index, fields)}
                  />
                </td>
                <td>
                  <input
                    className={css.cell}
                    type="number"
                    min={0}
                    step="any"
                    aria-label={`${t.deadband} ${name}`}
                    value={textOf(tag, 'deadband') || '0'}
                    disabled={isLocked}
                    onChange={(event) => set(index, { deadband: Number(event.target.value) })}
                  />
                </td>
                <td>
                  <IconButton
                    icon="trash"
                    size="small"
                    label={t.remove(name)}
                    disabled={isLocked}
                    onClick={() => onChange(tags.filter((_, at) => at !== index))}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {add}
    </div>
  )
}

/** Leaves out fields without effect: an empty unit, no dead band, a factor of one. */
function cleaned(tag: Tag): Tag {
  return Object.fromEntries(
    Object.entries(tag).filter(
      ([name, value]) =>
        !(value === '' && name !== 'name' && name !== 'address' && name !== 'nodeId') &&
        !(name === 'deadband' && value === 0) &&
        !(name === 'factor' && value === 1) &&
        !(name === 'factorForm' && textOf(tag, 'factorAddress') === ''),
    ),
  )
}
