import type { ReactNode } from 'react'
import { Avatar } from '../avatar.tsx'
import { Row } from '../layout/layout.tsx'
import { NameCell } from '../table/cells.tsx'
import css from './person-name.module.css'

interface PersonNameProps {
  name: string
  /** The account, or a remark. */
  minor?: ReactNode
  /** Beside the name. */
  tags?: ReactNode
}

/** A person in a list: their sign, their name and what tells them from others of that name. */
export function PersonName({ name, minor, tags }: PersonNameProps) {
  return (
    <NameCell
      before={
        <Row as="span" align="stretch" fixed className={css.sign}>
          <Avatar name={name} size={28} />
        </Row>
      }
      name={name}
      minor={minor}
      tags={tags}
    />
  )
}
