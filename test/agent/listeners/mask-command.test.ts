import { describe, expect, it } from '@jest/globals'
import { MaskedCommands } from '../../../agent/src/listeners/masked-commands.js'
import { maskedCommand } from '../../../agent/src/listeners/mask-command.js'
import { cpuMs } from '../../support/cpu-ms.js'

const SECRET = 'S3cr3t-Valu3'

const command = (...args: readonly string[]): string | null => maskedCommand(`${args.join('\0')}\0`)

describe('a command line', () => {
  it.each([
    ['app', '--password', SECRET, '--port', '80'],
    ['app', `--password=${SECRET},more;of it`],
    ['app', '-password', SECRET],
    ['app', '--db-password', `-${SECRET}`],
    ['app', `--api-key=${SECRET}`],
    ['app', `--apiKey=${SECRET}`],
    ['app', '--secret.access_key', SECRET],
    ['app', '--auth', SECRET],
    ['app', '--requirepass', SECRET],
    ['redis-server', '--masterauth', SECRET],
    ['redis-cli', '-a', SECRET],
    ['java', `-Dspring.datasource.password=${SECRET}`, '-jar', 'a.jar'],
    ['java', `-DdbPasswd=${SECRET}`],
    ['env', `PGPASSWORD=${SECRET}`, 'psql'],
    ['sh', '-c', `PGPASSWORD=${SECRET} psql -h db`],
    ['sh', '-c', `mysql --password ${SECRET} -h db`],
    ['sh', '-c', `export TOKEN="${SECRET} with words"; serve`],
    ['sh', '-c', `export TOKEN=ab"${SECRET}"cd; serve`],
    ['mysql', `-p${SECRET}`],
    ['/usr/bin/mysqldump', '-u', 'root', `-p${SECRET}`],
    ['sshpass', '-p', SECRET, 'ssh', 'host'],
    ['curl', '-u', `admin:${SECRET}`, 'http://host/'],
    ['curl', '-H', `Authorization: Bearer ${SECRET}`],
    ['curl', '-H', `authorization: ${SECRET}`],
    ['curl', '-H', `X-API-Key: ${SECRET}`],
    ['psql', `postgresql://app:${SECRET}@db:5432/shop`],
    ['psql', `postgresql://:${SECRET}@db:5432/shop`],
    ['psql', `postgresql://app:${SECRET}/with@slash@db/shop`],
    ['app', `redis://default:${SECRET}@cache`],
    ['app', `app:${SECRET}@tcp(db:3306)/shop`],
    ['app', `https://host/?token=${SECRET}&page=2`],
    ['app', `{"password":"${SECRET}","port":80}`],
    ['app', `{"client_secret": "${SECRET}"}`],
    ['app', `Server=db;User Id=a;Password=${SECRET};Database=b`],
    ['app', `AccountName=a;AccountKey=${SECRET};Suffix=b`],
    [`app password=${SECRET}`]
  ])('%j loses its secret', (...args) => {
    const text = command(...args)!
    expect(text).not.toContain(SECRET)
    expect(text).not.toMatch(/S3cr3t|Valu3/)
    expect(text).toContain('***')
  })

  it('keeps what is not a secret', () => {
    const args = [
      '/usr/bin/node',
      '--max-old-space-size=128',
      'server.js',
      '--port',
      '8080',
      '-p',
      '80',
      '--author=ada',
      '--keyspace',
      'a'
    ]
    expect(command(...args)).toBe(args.join(' '))
    expect(command('mysqld', '--port', '3306', '--host=http://a:80/b')).toBe('mysqld --port 3306 --host=http://a:80/b')
    expect(command('/opt/token-server', 'serve')).toBe('/opt/token-server serve')
    expect(command('app', '--password', SECRET, '--port', '80')).toBe('app --password *** --port 80')
    expect(command('app', `--password=${SECRET},x y`)).toBe('app --password=***')
    expect(command('nginx: master process /usr/sbin/nginx', '', '')).toBe('nginx: master process /usr/sbin/nginx')
  })

  it.each([
    'ali_ingest_abcdefgh12345678',
    'ghp_abcdefghijklmnop1234',
    'xoxb-123456789012-abcdef',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_ghi'
  ])('loses %s, which is a credential without a name', credential => {
    expect(command('app', credential, `x=${credential}`)).not.toContain(credential)
  })

  it('is cut after its secrets are masked', () => {
    const long = command('app', 'a'.repeat(1_000), `--password=${SECRET}`, 'b'.repeat(1_000))!
    expect(long).toHaveLength(1_027)
    expect(long).not.toMatch(/S3cr3t/)
  })

  it('is null for a process without one', () => {
    expect(maskedCommand('')).toBeNull()
    expect(maskedCommand('\0\0')).toBeNull()
  })

  it('takes time in proportion to its length', () => {
    for (const part of ['a', 'key', 'pass.', '"', '-p ', 'a:', '://', '= ', "'"]) {
      expect(cpuMs(() => maskedCommand(`app\0${part.repeat(16_384 / part.length)}`))).toBeLessThan(1_000)
    }
  })
})

describe('command lines of several collections', () => {
  it('are masked in each', () => {
    const commands = new MaskedCommands()
    for (let collection = 0; collection < 3; collection++) {
      commands.begin()
      expect(commands.masked('app\0--password\0hunter2\0')).toBe('app --password ***')
      expect(commands.masked(`app\0--port\0${collection}\0`)).toBe(`app --port ${collection}`)
      expect(commands.masked('')).toBeNull()
    }
  })
})
