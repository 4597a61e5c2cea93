import { useQuery } from '@tanstack/react-query'
import { ExampleGuide } from '../../../entities/project/example-guide.tsx'
import { brokerOf } from '../../../entities/project/examples.ts'
import { projectEndpointQuery } from '../../../entities/project/project-queries.ts'
import type { PartProps } from '../detail/part-props.ts'

/** The programs that take this project’s data, with its own number and addresses. */
export function DevelopersPart({ project: { id } }: PartProps) {
  const { data } = useQuery(projectEndpointQuery(id))
  return (
    <ExampleGuide
      address={data ? new URL(data.http.url).origin : location.origin}
      broker={brokerOf(data?.mqtt ?? { host: location.hostname })}
      projectId={id}
    />
  )
}
