;; What `decode` of bytes.ts runs, which has it assembled: a test compares them.
(module
  ;; What each character stands for, one row of 128 for single ones and one for each prefix; then the text.
  (import "" "" (memory 1))
  ;; Turns the text, up to `$end`, into bytes in its place, and tells where they end.
  (func (export "") (param $end i32) (result i32)
    (local $from i32) (local $to i32) (local $at i32)
    (local.set $from (local.tee $to (i32.const 384)))
    (loop $next
      (if (i32.lt_u (local.get $from) (local.get $end))
        (then
          ;; The first two characters of the alphabet are prefixes.
          (if (i32.le_u (local.tee $at (i32.load8_u (local.get $from))) (i32.const 33))
            (then
              (local.set $at
                (i32.add
                  (i32.shl (i32.sub (local.get $at) (i32.const 31)) (i32.const 7))
                  (i32.load8_u (local.tee $from (i32.add (local.get $from) (i32.const 1))))))))
          (i32.store8 (local.get $to) (i32.load8_u (local.get $at)))
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (br $next))))
    (local.get $to)))
