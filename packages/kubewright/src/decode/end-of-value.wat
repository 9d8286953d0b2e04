;; Finds the end of a JSON object or array in a window of bytes, 64 at a time. Used by window.ts, compiled by tools/wasm.
;;
;; Each byte of a block becomes one bit in each of four masks: quotes, backslashes, opening and closing brackets. The rest is arithmetic on masks;
;; brackets are visited one by one only if the value may end in this block.
(module
  ;; The window (64 KiB), and one more page, because the last block reads beyond the end of the window.
  (memory (export "memory") 2)

  ;; Finds the end of the value at $at, before $limit. Returns the offset after it, times four, plus one if a byte is not ASCII, plus two if a block has
  ;; eight digits in a row outside strings: a number of 16 digits has eight in one of its blocks, and few others do. -1 if the value does not end.
  (func (export "endOf") (param $at i32) (param $limit i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $seen v128)      ;; "or" of all bytes so far: the highest bits are set if one was not ASCII
    (local $quotes i64) (local $opens i64) (local $closes i64)
    (local $slashes i64) (local $escaped i64) (local $lowest i64) (local $before i64)
    (local $strings i64)    ;; bits inside strings; later inverted
    (local $inString i64)   ;; all ones if the previous block ended inside a string
    (local $carry i64)      ;; one if the previous block ended with an escaping backslash
    (local $depth i32) (local $count i32)
    (local $same v128)      ;; one byte, sixteen times
    (local $digits i64)
    (local $flags i32)
    (local $above v128)
    (local $all v128)
    (local.set $all (i8x16.splat (i32.const -1)))
    (loop $block
      (if (i32.ge_s (local.get $at) (local.get $limit)) (then (return (i32.const -1))))
      (local.set $a (v128.load offset=0 (local.get $at)))
      (local.set $b (v128.load offset=16 (local.get $at)))
      (local.set $c (v128.load offset=32 (local.get $at)))
      (local.set $d (v128.load offset=48 (local.get $at)))
      (local.set $seen (v128.or (local.get $seen)
        (v128.or (v128.or (local.get $a) (local.get $b)) (v128.or (local.get $c) (local.get $d)))))
      (local.set $quotes (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x22))))

      ;; Removes escaped quotes.
      (local.set $same (i8x16.splat (i32.const 0x5c)))
      (if (i32.or
            (v128.any_true (v128.or
              (v128.or (i8x16.eq (local.get $a) (local.get $same)) (i8x16.eq (local.get $b) (local.get $same)))
              (v128.or (i8x16.eq (local.get $c) (local.get $same)) (i8x16.eq (local.get $d) (local.get $same)))))
            (i32.wrap_i64 (local.get $carry)))
        (then
          (local.set $slashes (i64.and
            (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (local.get $same))
            (i64.xor (local.get $carry) (i64.const -1))))
          (local.set $escaped (local.get $carry))
          (local.set $carry (i64.const 0))
          (block $done (loop $slashLoop
            (br_if $done (i64.eqz (local.get $slashes)))
            (local.set $lowest (i64.and (local.get $slashes) (i64.sub (i64.const 0) (local.get $slashes))))
            (local.set $carry (i64.shr_u (local.get $lowest) (i64.const 63)))
            (local.set $escaped (i64.or (local.get $escaped) (i64.shl (local.get $lowest) (i64.const 1))))
            ;; The next backslash is escaped, so it escapes nothing.
            (local.set $slashes (i64.and (local.get $slashes)
              (i64.xor (i64.or (local.get $lowest) (i64.shl (local.get $lowest) (i64.const 1))) (i64.const -1))))
            (br $slashLoop)))
          (local.set $quotes (i64.and (local.get $quotes) (i64.xor (local.get $escaped) (i64.const -1))))))

      ;; A bit is inside a string if the number of quotes up to it is odd.
      (local.set $strings (local.get $quotes))
      (local.set $strings (i64.xor (local.get $strings) (i64.shl (local.get $strings) (i64.const 1))))
      (local.set $strings (i64.xor (local.get $strings) (i64.shl (local.get $strings) (i64.const 2))))
      (local.set $strings (i64.xor (local.get $strings) (i64.shl (local.get $strings) (i64.const 4))))
      (local.set $strings (i64.xor (local.get $strings) (i64.shl (local.get $strings) (i64.const 8))))
      (local.set $strings (i64.xor (local.get $strings) (i64.shl (local.get $strings) (i64.const 16))))
      (local.set $strings (i64.xor (local.get $strings) (i64.shl (local.get $strings) (i64.const 32))))
      (local.set $strings (i64.xor (local.get $strings) (local.get $inString)))
      (local.set $inString (i64.shr_s (local.get $strings) (i64.const 63)))

      ;; "[" and "{", "]" and "}" differ in one bit; setting it maps no other JSON byte outside strings to a bracket.
      (local.set $same (i8x16.splat (i32.const 0x20)))
      (local.set $a (v128.or (local.get $a) (local.get $same)))
      (local.set $b (v128.or (local.get $b) (local.get $same)))
      (local.set $c (v128.or (local.get $c) (local.get $same)))
      (local.set $d (v128.or (local.get $d) (local.get $same)))
      (local.set $strings (i64.xor (local.get $strings) (i64.const -1)))

      ;; Sixteen digits in a row contain eight at an aligned offset. $above maps digits to the lowest signed bytes.
      (local.set $above (i8x16.splat (i32.const 0x50)))
      (local.set $same (i8x16.splat (i32.const -118)))
      (if (v128.any_true (v128.or
            (v128.or
              (i64x2.eq (i8x16.lt_s (i8x16.add (local.get $a) (local.get $above)) (local.get $same)) (local.get $all))
              (i64x2.eq (i8x16.lt_s (i8x16.add (local.get $b) (local.get $above)) (local.get $same)) (local.get $all)))
            (v128.or
              (i64x2.eq (i8x16.lt_s (i8x16.add (local.get $c) (local.get $above)) (local.get $same)) (local.get $all))
              (i64x2.eq (i8x16.lt_s (i8x16.add (local.get $d) (local.get $above)) (local.get $same)) (local.get $all)))))
        (then
          (local.set $digits (i64.and (local.get $strings) (call $mask
            (i8x16.lt_s (i8x16.add (local.get $a) (local.get $above)) (local.get $same))
            (i8x16.lt_s (i8x16.add (local.get $b) (local.get $above)) (local.get $same))
            (i8x16.lt_s (i8x16.add (local.get $c) (local.get $above)) (local.get $same))
            (i8x16.lt_s (i8x16.add (local.get $d) (local.get $above)) (local.get $same))
            (local.get $all))))
          (local.set $digits (i64.and (local.get $digits) (i64.shr_u (local.get $digits) (i64.const 1))))
          (local.set $digits (i64.and (local.get $digits) (i64.shr_u (local.get $digits) (i64.const 2))))
          (local.set $digits (i64.and (local.get $digits) (i64.shr_u (local.get $digits) (i64.const 4))))
          (if (i64.ne (local.get $digits) (i64.const 0)) (then (local.set $flags (i32.const 2))))))

      (local.set $opens (i64.and (local.get $strings)
        (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x7b)))))
      (local.set $closes (i64.and (local.get $strings)
        (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x7d)))))

      (local.set $count (i32.wrap_i64 (i64.popcnt (local.get $closes))))
      (if (i32.gt_s (local.get $depth) (local.get $count))
        (then (local.set $depth (i32.sub (local.get $depth) (local.get $count))))
        (else
          (block $none (loop $next
            (br_if $none (i64.eqz (local.get $closes)))
            (local.set $lowest (i64.and (local.get $closes) (i64.sub (i64.const 0) (local.get $closes))))
            (local.set $before (i64.and (local.get $opens) (i64.sub (local.get $lowest) (i64.const 1))))
            (local.set $depth (i32.sub (i32.add (local.get $depth) (i32.wrap_i64 (i64.popcnt (local.get $before)))) (i32.const 1)))
            (local.set $opens (i64.xor (local.get $opens) (local.get $before)))
            (if (i32.eqz (local.get $depth)) (then
              (local.set $at (i32.add (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $lowest)))) (i32.const 1)))
              (if (i32.gt_s (local.get $at) (local.get $limit)) (then (return (i32.const -1))))
              (return (i32.or (local.get $flags)
                (i32.or (i32.shl (local.get $at) (i32.const 2)) (i32.ne (i8x16.bitmask (local.get $seen)) (i32.const 0)))))))
            (local.set $closes (i64.xor (local.get $closes) (local.get $lowest)))
            (br $next)))))
      (local.set $depth (i32.add (local.get $depth) (i32.wrap_i64 (i64.popcnt (local.get $opens)))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br $block))
    unreachable)

  ;; One bit for each of 64 bytes: whether it equals the byte in $wanted.
  (func $mask (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $wanted v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $wanted))))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $wanted)))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $wanted)))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $wanted)))) (i64.const 48))))))
