/** The address of a PostgreSQL; fits `pg`'s configuration as it is. `host` may be the folder of a Unix socket. */
export interface PostgresConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** The connection as a URL. It holds the password: never log it. */
export function connectionUrl(connection: PostgresConnection): string {
  const user = encodeURIComponent(connection.user)
  const password = encodeURIComponent(connection.password)
  const database = encodeURIComponent(connection.database)
  const host = encodeURIComponent(connection.host)
  // `localhost` only makes it a URL; the parameter wins.
  return `postgres://${user}:${password}@localhost/${database}?host=${host}&port=${connection.port}`
}
