// Goal: requests to a bucket go where its server expects them.

import { describe, expect, test } from 'bun:test'
import { bucketAddress } from './s3-connection.ts'

const check = (bucket: string, endpoint: string | null, region: string, address: string) =>
  expect(bucketAddress({ bucket, endpoint, region })).toBe(address)

describe('bucketAddress', () => {
  test('has the bucket in the path of an endpoint', () => {
    check('books', 'http://127.0.0.1:7480', 'us-east-1', 'http://127.0.0.1:7480/books')
    check('books', 'https://s3.example/', 'us-east-1', 'https://s3.example/books')
    check('books', 'https://proxy.example/s3', 'us-east-1', 'https://proxy.example/s3/books')
  })

  test('has it in the name of AWS’s host', () => {
    check('books', null, 'eu-west-1', 'https://books.s3.eu-west-1.amazonaws.com')
    check('books', null, 'cn-north-1', 'https://books.s3.cn-north-1.amazonaws.com.cn')
    check('my.books', null, 'eu-west-1', 'https://s3.eu-west-1.amazonaws.com/my.books')
  })

  test.each(['', 'ab', 'Books', 'a/b', '-books', 'books-', 'b'.repeat(64), 'bücher'])('refuses %j', (bucket) =>
    expect(() => check(bucket, null, 'eu-west-1', '')).toThrow('a bucket has 3 to 63 lower-case letters'),
  )
})
