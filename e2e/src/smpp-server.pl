#!/usr/bin/perl
# A message centre on loopback that speaks SMPP 3.4 by Net::SMPP. It binds one account, accepts what is submitted, and
# sends a receipt for it. Each event is a line of JSON on the standard output.
# Usage: smpp-server.pl PORT SYSTEM_ID PASSWORD
use strict;
use warnings;
use IO::Handle;
use IO::Select;
use Net::SMPP;

my ($port, $system_id, $password) = @ARGV;
STDOUT->autoflush(1);

my $server = Net::SMPP->new_listen('127.0.0.1', port => $port, smpp_version => 0x34)
  or die "cannot listen on port $port: $!";
print qq({"type":"listening"}\n);

my $messages = 0;
my $readers = IO::Select->new($server);
while (my @ready = $readers->can_read) {
  for my $socket (@ready) {
    if ($socket == $server) {
      my $accepted = $server->accept or next;
      $readers->add($accepted);
      next;
    }
    my $pdu = $socket->read_pdu;
    if (!$pdu || !answer($socket, $pdu)) {
      $readers->remove($socket);
      $socket->close;
    }
  }
}

# False where the connection ends.
sub answer {
  my ($socket, $pdu) = @_;
  my ($command, @sequence) = ($pdu->{cmd}, seq => $pdu->{seq});
  if ($command == Net::SMPP::CMD_bind_transceiver) {
    my $is_known = $pdu->{system_id} eq $system_id && $pdu->{password} eq $password;
    $socket->set_version(0x34);
    # ESME_RINVPASWD
    my @refusal = $is_known ? () : (status => 0x0e);
    $socket->bind_transceiver_resp(system_id => 'centre', @sequence, @refusal);
    print $is_known ? qq({"type":"bound"}\n) : qq({"type":"refused"}\n);
  } elsif ($command == Net::SMPP::CMD_submit_sm) {
    my $id = sprintf 'M%06d', ++$messages;
    $socket->submit_sm_resp(message_id => $id, @sequence);
    print sprintf(
      qq({"type":"message","id":"%s","to":"%s","esmClass":%d,"coding":%d,"wantsReceipt":%d,"bytes":"%s"}\n),
      $id, $pdu->{destination_addr}, $pdu->{esm_class}, $pdu->{data_coding}, $pdu->{registered_delivery},
      unpack('H*', $pdu->{short_message}),
    );
    send_receipt($socket, $pdu, $id) if $pdu->{registered_delivery} & Net::SMPP::REG_receipt_mask;
  } elsif ($command == Net::SMPP::CMD_deliver_sm_resp) {
    print sprintf(qq({"type":"receiptAnswered","status":%d}\n), $pdu->{status});
  } elsif ($command == Net::SMPP::CMD_enquire_link) {
    $socket->enquire_link_resp(@sequence);
  } elsif ($command == Net::SMPP::CMD_unbind) {
    $socket->unbind_resp(@sequence);
    return 0;
  }
  return 1;
}

# Appendix B of SMPP 3.4.
sub send_receipt {
  my ($socket, $pdu, $id) = @_;
  my ($second, $minute, $hour, $day, $month, $year) = gmtime;
  my $time = sprintf '%02d%02d%02d%02d%02d', $year % 100, $month + 1, $day, $hour, $minute;
  $socket->deliver_sm(
    async => 1,
    source_addr => $pdu->{destination_addr},
    destination_addr => $pdu->{source_addr},
    esm_class => Net::SMPP::ESM_type_delivery_receipt,
    short_message => "id:$id sub:001 dlvrd:001 submit date:$time done date:$time stat:DELIVRD err:000 text:",
  );
}
