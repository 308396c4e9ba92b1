# What the original mdtest writes to a file, worked out from its rules: to the
# standard output.
#
#     perl pattern.pl TYPE SEED OWNER ITEM BYTES
#
# TYPE is t, o, i or r.  Only modules of perl-base are used.
use strict;
use warnings;
no warnings 'portable'; # words have 64 bits

my ($type, $seed, $owner, $item, $bytes) = @ARGV;
my $low = 0xffffffff;

# rand_r of the C library: 31 bits; the state is $_[0].
sub rand_r {
    my $result = 0;
    for my $bits (11, 10, 10) {
        $_[0] = ($_[0] * 1103515245 + 12345) & $low;
        $result = ($result << $bits) ^ (($_[0] >> 16) & ((1 << $bits) - 1));
    }
    return $result;
}

# The product of two 64-bit words, modulo 2^64.
sub product {
    use integer;
    return $_[0] * $_[1];
}

my $words = int($bytes / 8);
my $out = '';
if ($type eq 'r') {
    my $state = ($seed + $owner + $item) & $low;
    my $word = rand_r($state);
    for (1 .. $words) {
        # As bits: the product may be negative.
        $word = unpack('Q', pack('q', product($word, 0x9e37fffffffc0001))) >> 3;
        $out .= pack('Q', $word);
    }
} else {
    my $same;
    if ($type eq 'i') {
        my $state = ($seed + $owner) & $low;
        $same = rand_r($state) << 32;
        $same |= rand_r($state);
    }
    for my $j (0 .. $words - 1) {
        my $word = $same // (($owner << 32) |
            unpack('Q', pack('q', $seed + $j)));
        if ($type ne 't' && $j % 512 == 0) {
            $word = ($owner << 32) | (($item * ($j / 512 + 1)) & $low);
        }
        $out .= pack('Q', $word);
    }
}
$out .= pack('C', $_ & 0xff) for (8 * $words .. $bytes - 1);
binmode(STDOUT);
print $out;
